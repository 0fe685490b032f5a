import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import {
  begin,
  expected,
  look,
  playMany,
  playSequence,
  quickParts,
  send,
  type Play,
} from '../agreement/agreement-driver.ts';
import { NEW, OWNER, step, type Command, type Model } from '../agreement/agreement-model.ts';
import { startApi, type Api } from '../api.ts';

/** `AGREEMENT_SEQUENCES=10000` runs more. */
const SEQUENCES = Number(process.env['AGREEMENT_SEQUENCES'] ?? 40);
const ROUNDS = 2;

jest.setTimeout(120_000 + SEQUENCES * 250);

let api: Api;
let users: WorldUser[];

beforeAll(async () => {
  api = await startApi('documents-races', { DATABASE_POOL: '20' }, await quickParts());
  users = [];
  for (const name of ['Asha Rao', 'Vikram Shah', 'Meera Nair', 'Nila Iyer'])
    users.push(await api.world.addUser(name));
}, 120_000);
afterAll(() => api.stop());

describe('random sequences', () => {
  it('lead the service and the model to the same state after each command', async () => {
    const seed = Date.now() & 0x7fffffff;
    const { effects } = await playMany(api, users, { count: SEQUENCES, seed, atOnce: 8 });
    expect(effects).toBeGreaterThan(SEQUENCES);
  });
});

const playBefore = async (commands: readonly Command[]): Promise<{ play: Play; model: Model }> => {
  const started = await begin(api, users);
  await playSequence(started, commands);
  return { play: started, model: commands.reduce((model, next) => step(model, next).after, NEW) };
};

const invited: Command[] = [{ do: 'invite', actor: OWNER, target: 1 }];
const both: Command[] = [...invited, { do: 'invite', actor: OWNER, target: 2 }];
const admitted: Command[] = [
  { do: 'join', actor: 1 },
  { do: 'approve-user', actor: OWNER, target: 1 },
];
const approved: Command[] = [...invited, { do: 'accept', actor: 1 }, { do: 'approve', actor: OWNER }];

/** The commands before the race, the two concurrent commands, and how many of them may succeed. */
const RACES: [string, readonly Command[], readonly [Command, Command], readonly number[]][] = [
  [
    'accept and reject',
    invited,
    [
      { do: 'accept', actor: 1 },
      { do: 'reject', actor: 1 },
    ],
    [1],
  ],
  [
    'one user accepting and verifying',
    invited,
    [
      { do: 'accept', actor: 1 },
      { do: 'self-verify', actor: 1 },
    ],
    [1, 2],
  ],
  [
    'an admitted user’s own approval, and being removed',
    admitted,
    [
      { do: 'approve', actor: 1 },
      { do: 'remove', actor: OWNER, target: 1 },
    ],
    [1, 2],
  ],
  [
    'approving and rejecting by an admitted user',
    admitted,
    [
      { do: 'approve', actor: 1 },
      { do: 'reject', actor: 1 },
    ],
    [1],
  ],
  [
    'being admitted by approval and by invitation',
    [{ do: 'join', actor: 1 }],
    [
      { do: 'approve-user', actor: OWNER, target: 1 },
      { do: 'invite', actor: OWNER, target: 1 },
    ],
    [2],
  ],
  [
    'withdrawing and finalizing',
    approved,
    [
      { do: 'withdraw', actor: 1 },
      { do: 'finalize', actor: OWNER },
    ],
    [1],
  ],
  [
    'cancelling and accepting',
    invited,
    [
      { do: 'cancel', actor: OWNER },
      { do: 'accept', actor: 1 },
    ],
    [1, 2],
  ],
  [
    'cancelling and finalizing',
    approved,
    [
      { do: 'cancel', actor: OWNER },
      { do: 'finalize', actor: OWNER },
    ],
    [1],
  ],
  [
    'cancelling twice',
    approved,
    [
      { do: 'cancel', actor: OWNER },
      { do: 'cancel', actor: OWNER },
    ],
    [1],
  ],
  [
    'withdrawing and being removed',
    approved,
    [
      { do: 'withdraw', actor: 1 },
      { do: 'remove', actor: OWNER, target: 1 },
    ],
    [1],
  ],
  [
    'verifying again and finalizing',
    approved,
    [
      { do: 'only-verify', actor: 1 },
      { do: 'finalize', actor: OWNER },
    ],
    [1],
  ],
  [
    'the approvals of two parties',
    [...both, { do: 'approve', actor: OWNER }],
    [
      { do: 'accept', actor: 1 },
      { do: 'accept', actor: 2 },
    ],
    [2],
  ],
  [
    'two approvals of the primary user',
    [...invited, { do: 'accept', actor: 1 }],
    [
      { do: 'approve', actor: OWNER },
      { do: 'approve', actor: OWNER },
    ],
    [1],
  ],
  [
    'approving and removing a user',
    [{ do: 'join', actor: 1 }],
    [
      { do: 'approve-user', actor: OWNER, target: 1 },
      { do: 'remove', actor: OWNER, target: 1 },
    ],
    [1, 2],
  ],
  [
    'accepting and being removed',
    invited,
    [
      { do: 'accept', actor: 1 },
      { do: 'remove', actor: OWNER, target: 1 },
    ],
    [1, 2],
  ],
  [
    'two removals',
    invited,
    [
      { do: 'remove', actor: OWNER, target: 1 },
      { do: 'remove', actor: OWNER, target: 1 },
    ],
    [1],
  ],
  [
    'finalizing and adding a user',
    approved,
    [
      { do: 'finalize', actor: OWNER },
      { do: 'invite', actor: OWNER, target: 2 },
    ],
    [1],
  ],
  [
    'finalizing and removing a user',
    approved,
    [
      { do: 'finalize', actor: OWNER },
      { do: 'remove', actor: OWNER, target: 1 },
    ],
    [1, 2],
  ],
  [
    'two joins of one user',
    [],
    [
      { do: 'join', actor: 3 },
      { do: 'join', actor: 3 },
    ],
    [1],
  ],
];

describe('two concurrent commands', () => {
  it.each(RACES)(
    '[DOC-109] %s: the result equals a sequential run, and the second command gets 409 with a text',
    async (_name, before, pair, mayWin) => {
      const rounds = Array.from({ length: ROUNDS }, async (_, round) => {
        const { play: started, model } = await playBefore(before);
        const answers = await Promise.all(
          pair.map(async (wanted, place) => {
            // A command that starts a little later still overlaps with the other one.
            if ((round + place) % 2 === 1) await new Promise((resolve) => setTimeout(resolve, round));
            return send(started, wanted);
          }),
        );
        const won = answers.filter(({ status }) => status < 300).length;
        expect(mayWin).toContain(won);
        for (const { status, detail } of answers) {
          if (status >= 300) expect({ status, detail }).toEqual({ status: 409, detail: expect.any(String) });
        }
        const seen = await look(started);
        const orders = [pair, [pair[1], pair[0]] as const].map((order) =>
          expected(
            started,
            order.reduce((now, next) => step(now, next).after, model),
          ),
        );
        expect(orders).toContainEqual(seen);
      });
      await Promise.all(rounds);
    },
  );
});
