// Run by JoseAgreesTest: what npm's jose says about an access token, a key set and the root of a capability.
import { compactVerify, createRemoteJWKSet, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';

const [alg, issuer, jwksUrl, token, capability] = process.argv.slice(2);
const keys = createRemoteJWKSet(new URL(jwksUrl));
const { payload } = await jwtVerify(token, keys, {
  issuer, audience: 'svc-demo', typ: 'at+jwt', algorithms: [alg], clockTolerance: 60,
});
console.log('jwt sub ' + payload.sub);

const parts = token.split('.');
const flipped = (parts[2][0] === 'A' ? 'B' : 'A') + parts[2].slice(1);
try {
  await jwtVerify([parts[0], parts[1], flipped].join('.'), keys, { issuer });
  console.log('forged accepted');
} catch (refused) {
  console.log('forged ' + refused.code);
}

const root = capability.split('~')[1];
const set = await (await fetch(jwksUrl)).json();
const jwk = set.keys.find((key) => key.kid === decodeProtectedHeader(root).kid);
const key = await importJWK(jwk, 'Ed25519');
const { protectedHeader } = await compactVerify(root, key, { crit: { pct: true }, algorithms: ['Ed25519'] });
console.log('root typ ' + protectedHeader.typ + ' for ' + jwk.pur);
try {
  await jwtVerify(root, keys, { issuer });
  console.log('bare root accepted');
} catch (refused) {
  console.log('bare root ' + refused.code);
}
