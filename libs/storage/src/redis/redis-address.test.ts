import { redisAddress } from './index.ts';

describe('redisAddress', () => {
  it('returns an ordinary address unchanged', () => {
    expect(redisAddress('rediss://:secret@cache:6380/2')).toEqual({
      url: 'rediss://:secret@cache:6380/2',
      options: {},
    });
  });

  it('parses sentinels, the name of the master, user, password and database', () => {
    expect(redisAddress('redis+sentinel://wallet:p%40ss@a.valkey:26379,b.valkey/karaar/3').options).toEqual({
      sentinels: [
        { host: 'a.valkey', port: 26_379 },
        { host: 'b.valkey', port: 26_379 },
      ],
      name: 'karaar',
      db: 3,
      username: 'wallet',
      password: 'p@ss',
      sentinelUsername: 'wallet',
      sentinelPassword: 'p@ss',
    });
  });

  it('rejects an invalid address without repeating the password', () => {
    expect(() => redisAddress('redis+sentinel://:hidden@a:26379')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hidden') as string }),
    );
  });
});
