export { randomChallenge, readAssertion, requestOptions } from './assertion.ts';
export { CEREMONY_MS } from './known.ts';
export { creationOptions, readRegistration, type RegisteredPasskey } from './registration.ts';
export { siteOf, type Site } from './site.ts';
