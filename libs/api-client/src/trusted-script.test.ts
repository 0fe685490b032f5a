import { allowScriptOrigins, trustedScriptUrl } from './trusted-script.ts';

/** The two globals that the module reads, as a browser without Trusted Types has them. */
beforeAll(() => {
  Object.assign(globalThis, { location: new URL('https://karaar.example/wallet'), window: {} });
});

describe('trustedScriptUrl', () => {
  it('takes what we serve ourselves', () => {
    expect(trustedScriptUrl('/sandbox/checkout.js')).toBe('https://karaar.example/sandbox/checkout.js');
  });

  it.each([
    'data:text/javascript,alert(1)',
    'javascript:alert(1)',
    'blob:https://evil.example/1',
    'https://evil.example/x.js',
  ])('refuses %s', (url) => expect(() => trustedScriptUrl(url)).toThrow(TypeError));

  it('takes a foreign origin once it was allowed, over HTTP only', () => {
    const url = 'https://cdn.example/remoteEntry.js';
    expect(() => trustedScriptUrl(url)).toThrow('https://cdn.example');
    allowScriptOrigins(['https://cdn.example']);
    expect(trustedScriptUrl(url)).toBe(url);
    expect(() => trustedScriptUrl('blob:https://cdn.example/1')).toThrow(TypeError);
  });
});
