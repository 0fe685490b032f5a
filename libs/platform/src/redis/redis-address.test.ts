import { redisAddress } from './index.ts';

describe('redisAddress', () => {
  it('leaves an ordinary address as it is', () => {
    expect(redisAddress('rediss://:secret@cache:6380/2')).toEqual({
      url: 'rediss://:secret@cache:6380/2',
      options: {},
    });
  });

  it('reads sentinels, the name of the master, user, password and the database', () => {
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

  it('refuses what it cannot read without repeating the password', () => {
    expect(() => redisAddress('redis+sentinel://:hidden@a:26379')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hidden') as string }),
    );
  });
});
