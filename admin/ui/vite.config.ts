import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/** The theme is set before the first paint by a small file of its own: the policy allows no inline script. */
function firstPaint(): Plugin {
  const code = readFileSync(join(root, 'src/first-paint.js'), 'utf8');
  const file = `assets/first-paint-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'first-paint',
    configureServer(server) {
      server.middlewares.use(`/${file}`, (_, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(code);
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: file, source: code });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${file}` }, injectTo: 'head-prepend' }],
  };
}

/** Every source that shapes the pages; `dist/BUILD` holds the hash of them all, so that a stale `dist` is found. */
function sources(): string[] {
  return [...walk(join(root, 'src')), ...['index.html', 'vite.config.ts', 'package-lock.json'].map((file) => join(root, file))]
    .filter((file) => !file.endsWith('api/types.ts'))
    .map((file) => relative(root, file))
    .sort();
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]));
}

function buildMark(): Plugin {
  return {
    name: 'build-mark',
    apply: 'build',
    closeBundle() {
      const files = sources();
      const hash = createHash('sha256');
      for (const file of files) {
        hash
          .update(file)
          .update('\0')
          .update(readFileSync(join(root, file)))
          .update('\0');
      }
      writeFileSync(join(root, 'dist/BUILD'), `${hash.digest('hex')}\n`);
      // The server knows the files by this list, and sends the compressed twin to who takes it.
      const built = walk(join(root, 'dist')).map((file) => relative(join(root, 'dist'), file));
      const pages = built.filter((file) => !file.endsWith('.gz') && file !== 'BUILD' && file !== 'FILES').sort();
      writeFileSync(join(root, 'dist/FILES'), `${pages.join('\n')}\n`);
      for (const file of pages) {
        writeFileSync(join(root, 'dist', `${file}.gz`), gzipSync(readFileSync(join(root, 'dist', file)), { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [firstPaint(), buildMark()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { assetFileNames: 'assets/[name]-[hash][extname]' } },
  },
  server: { port: 27080, proxy: { '/api': process.env.RON_CONSOLE ?? 'http://127.0.0.1:27070' } },
});
