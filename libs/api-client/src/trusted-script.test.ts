import { allowScriptOrigins, trustedScriptUrl } from './trusted-script.ts';

/** The two globals that the module reads, as in a browser without Trusted Types. */
beforeAll(() => {
  Object.assign(globalThis, { location: new URL('https://karaar.example/wallet'), window: {} });
});

describe('trustedScriptUrl', () => {
  it('accepts our own origin', () => {
    expect(trustedScriptUrl('/sandbox/checkout.js')).toBe('https://karaar.example/sandbox/checkout.js');
  });

  it.each([
    'data:text/javascript,alert(1)',
    'javascript:alert(1)',
    'blob:https://evil.example/1',
    'https://evil.example/x.js',
  ])('refuses %s', (url) => expect(() => trustedScriptUrl(url)).toThrow(TypeError));

  it('accepts another allowed origin, over HTTP only', () => {
    const url = 'https://cdn.example/remoteEntry.js';
    expect(() => trustedScriptUrl(url)).toThrow('https://cdn.example');
    allowScriptOrigins(['https://cdn.example']);
    expect(trustedScriptUrl(url)).toBe(url);
    expect(() => trustedScriptUrl('blob:https://cdn.example/1')).toThrow(TypeError);
  });
});
