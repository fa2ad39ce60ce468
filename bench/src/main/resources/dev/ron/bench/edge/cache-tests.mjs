// run SUITE BASE: runs http-cache-tests against a cache, one JSON line for each test.
// between SUITE FRONT BACK ORIGIN EDGE KEY CERT: stands on both sides of the edge, which passes no field of a request on
// and none of an answer back. Behind it (BACK, https) a fetch gets the fields of the request that caused it; before it
// (FRONT) an answer gets the fields of the origin's answer that the edge has kept. So the suite sees what the edge
// decides: reuse, ask again, fetch anew.
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'

const [what, suite, ...rest] = process.argv.slice(2)
const load = file => import(path.join(suite, file))

if (what === 'run') {
  const fetch = (await load('../node-fetch/lib/index.mjs')).default
  const { runTests, getResults } = await load('client/runner.mjs')
  const tests = (await load('tests/index.mjs')).default
  await runTests(tests, fetch, false, rest[0])
  const results = getResults()
  for (const group of tests) {
    for (const test of group.tests.filter(one => one.id in results)) {
      const good = results[test.id] === true
      console.log(JSON.stringify({
        group: group.name, id: test.id, kind: test.kind || 'required', good, why: good ? '' : results[test.id].join(': ')
      }))
    }
  }
} else {
  between(...rest)
}

function call (url, method, headers, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers }, response => {
      const parts = []
      response.on('data', part => parts.push(part))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function whole (stream) {
  const parts = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

function between (front, back, origin, edge, key, cert) {
  const asked = new Map() // by path: the fields of the request in hand
  const kept = new Map() // by path: the fields of the origin's last answer that was not a 304
  const ends = ['connection', 'transfer-encoding', 'content-length', 'keep-alive', 'host']
  const without = (headers, names) => Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

  const send = (response, answer, headers) => {
    response.writeHead(answer.status, without(headers, ends))
    response.end(answer.body)
  }

  https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) }, async (request, response) => {
    const ours = without(request.headers, ends)
    const theirs = without(asked.get(request.url) || {}, [...ends, 'if-none-match', 'if-modified-since', 'range', 'accept-encoding'])
    try {
      const answer = await call(origin + request.url, request.method, { ...theirs, ...ours })
      const before = answer.status === 304 ? kept.get(request.url) : {}
      kept.set(request.url, { ...before, ...answer.headers })
      send(response, answer, answer.headers)
    } catch {
      response.destroy()
    }
  }).listen(Number(back), '127.0.0.1')

  http.createServer(async (request, response) => {
    const body = await whole(request)
    try {
      if (!request.url.startsWith('/test/')) {
        const answer = await call(origin + request.url, request.method, without(request.headers, ends), body)
        send(response, answer, answer.headers)
        return
      }
      const url = request.url.split('?')[0]
      asked.set(url, request.headers)
      const answer = await call(edge + '/edge/assets/t' + request.url, request.method, without(request.headers, ends), body)
      const said = answer.status < 400 ? kept.get(url) || {} : {}
      send(response, answer, { ...answer.headers, ...said, ...(answer.headers.age ? { age: answer.headers.age } : {}) })
    } catch {
      response.destroy()
    }
  }).listen(Number(front), '127.0.0.1')
}
