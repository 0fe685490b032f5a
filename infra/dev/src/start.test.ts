import { SetupError } from '@karaar/testing/machine/report';
import { chosenHost } from './commands/start.ts';

describe('the address that npm start listens on', () => {
  it('is loopback by default and can be set to a loopback address by HOST', () => {
    expect(chosenHost({})).toEqual({});
    expect(chosenHost({ HOST: '' })).toEqual({});
    for (const host of ['127.0.0.1', 'localhost', '::1'])
      expect(chosenHost({ HOST: host })).toEqual({ host });
  });

  it('can be another address only if the environment names the risk', () => {
    for (const HOST of ['0.0.0.0', '::', '192.168.1.4']) {
      expect(() => chosenHost({ HOST })).toThrow(SetupError);
      expect(() => chosenHost({ HOST, EXPOSED_DEVELOPMENT: 'yes' })).toThrow('anybody-can-sign-in');
      expect(chosenHost({ HOST, EXPOSED_DEVELOPMENT: 'anybody-can-sign-in' })).toEqual({ host: HOST });
    }
  });
});
