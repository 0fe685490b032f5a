import { fillConversation } from '@karaar/testing/made-up/long-conversation';
import type { ServiceWorld } from '@karaar/testing/service-world';
import { inTurns } from '../lib/peers.ts';
import { row, type Measured } from '../lib/report.ts';
import { isSmoke, size } from '../lib/smoke.ts';
import { median } from '../lib/stats.ts';
import type { Chatter } from './people.ts';

const LONG = size('BENCH_MESSAGES', 100_000, 1_000);
const SHORT = 100;

/** Creates a conversation with one message. */
async function begin(url: string, [from, to]: readonly [Chatter, Chatter]): Promise<void> {
  const answer = await fetch(`${url}/messaging/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ receiver_id: to.userId, content: 'The first one' }),
  });
  if (answer.status !== 201) throw new Error(`answered ${answer.status}`);
}

/** Returns the median time to read the newest page of a conversation, in milliseconds. */
async function openings(url: string, reader: Chatter, other: Chatter): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const start = performance.now();
    const answer = await fetch(`${url}/messaging/conversations/${other.userId}?limit=50&peek=true`, {
      headers: { authorization: `Bearer ${reader.token}` },
    });
    await answer.json();
    if (i >= 10) times.push(performance.now() - start);
  }
  return median(times);
}

/** Compares a long and a short conversation of one reader. */
export async function measureOpening(
  world: ServiceWorld,
  url: string,
  [asha, vikram, meera]: readonly Chatter[],
): Promise<Measured> {
  if (!asha || !vikram || !meera) throw new Error('At least three users are needed');
  for (const [pair, count] of [
    [[asha, vikram], LONG],
    [[vikram, meera], SHORT],
  ] as const) {
    await begin(url, pair);
    const [writer, reader] = pair;
    await fillConversation(world.ownerUrl, [writer.userId, reader.userId], count);
  }
  const samples = await inTurns(
    [
      { name: 'long', measure: () => openings(url, vikram, asha) },
      { name: 'short', measure: () => openings(url, vikram, meera) },
    ],
    isSmoke ? 1 : 4,
  );
  const [long, short] = [median(samples.get('long') ?? []), median(samples.get('short') ?? [])];
  const what = `opening ${LONG.toLocaleString('en-IN')} messages ÷ opening ${SHORT}`;
  const note = `${long.toFixed(1)} and ${short.toFixed(1)} ms`;
  return { rows: [row(what, long / short, '×', { atMost: 1.5, note })], data: Object.fromEntries(samples) };
}
