import { Value } from 'typebox/value';
import { consumptions } from './consumptions.ts';
import { brokerRpc } from './rpc.ts';
import { BROKER_USERS, brokerRights, rpcContracts, type BrokerUser } from './rights.ts';

const rights = Object.fromEntries(BROKER_USERS.map((user) => [user, brokerRights(user)])) as Record<
  BrokerUser,
  ReturnType<typeof brokerRights>
>;
/** Whether the broker's pattern covers a subject. */
const covers = (pattern: string, subject: string): boolean => {
  const [wanted, given] = [pattern.split('.'), subject.split('.')];
  const open = wanted.at(-1) === '>';
  if (open ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((token, at) => token === '>' || token === '*' || token === given[at]);
};
const publishers = (subject: string) =>
  BROKER_USERS.filter((user) => rights[user].publish.some((pattern) => covers(pattern, subject)));
const listeners = (subject: string) =>
  BROKER_USERS.filter((user) => rights[user].subscribe.some((pattern) => covers(pattern, subject)));

it('stops charges at the word of documents alone, in its own name', () => {
  expect(publishers('rpc.payments.stop-charge.v1.documents')).toEqual(['documents']);
  for (const other of ['', '.wallet', '.messaging', '.documents.x'])
    expect(publishers(`rpc.payments.stop-charge.v1${other}`)).toEqual([]);
});

it('moves no money: the wallet is not asked for any over the broker', () => {
  const asked = rpcContracts
    .filter(({ callers }) => callers.includes('payments'))
    .map(({ subject }) => subject);
  expect(asked.filter((subject) => subject.startsWith('rpc.wallet.'))).toEqual([]);
});

it('lets each caller of a contract ask in its own name, the service hear it, and nobody else', () => {
  for (const { subject, callers } of rpcContracts) {
    const service = subject.split('.')[1] === 'broker' ? 'broker-admin' : subject.split('.')[1];
    for (const user of BROKER_USERS)
      expect({ subject, user, may: publishers(`${subject}.${user}`) }).toEqual({
        subject,
        user,
        may: callers.includes(user) ? [user] : [],
      });
    expect(listeners(`${subject}.auth`)).toEqual([service]);
  }
});

it('lets the broker admin be asked for a consumer of each event', () => {
  for (const event of Object.values(consumptions).flatMap((handlers) => Object.values(handlers)))
    expect({
      type: event.type,
      fits: Value.Check(brokerRpc.ensureConsumer.request, {
        handler: 'any',
        type: event.type,
        version: event.version,
        ack_wait_ms: 1,
      }),
    }).toEqual({ type: event.type, fits: true });
});

it('names callers that there are', () => {
  for (const { callers } of rpcContracts)
    for (const caller of callers) expect(BROKER_USERS).toContain(caller);
});

it('lets a service alone say its events, and nobody listen to them but by its own consumers', () => {
  for (const service of ['auth', 'documents', 'payments', 'wallet', 'messaging', 'cms', 'notifications']) {
    expect(publishers(`evt.${service}.a.b.v1`)).toEqual([service]);
    expect(listeners(`evt.${service}.a.b.v1`)).toEqual([]);
  }
  expect(publishers('evt.vision.a.b.v1')).toEqual([]);
  for (const [service, handlers] of Object.entries(consumptions))
    for (const handler of Object.keys(handlers)) {
      const durables = BROKER_USERS.filter((user) =>
        rights[user].publish.some(
          (subject) => subject.includes('MSG.NEXT') && subject.includes(`.${service}__${handler}__`),
        ),
      );
      expect(durables).toEqual([service]);
    }
});

it('lets the broker admin alone shape streams and consumers', () => {
  for (const verb of ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE'])
    expect(publishers(`$JS.API.STREAM.${verb}.EVT_WALLET`)).toEqual(
      ['CREATE', 'UPDATE', 'DELETE'].includes(verb) ? ['broker-admin'] : [],
    );
  expect(publishers('$JS.API.CONSUMER.CREATE.EVT_WALLET.x.evt.wallet.card.changed.v1')).toEqual([
    'broker-admin',
  ]);
  expect(publishers('$JS.API.CONSUMER.DELETE.EVT_WALLET.x')).toEqual([]);
  expect(rights['broker-admin'].publish.some((pattern) => /^(evt|rpc|>|\*)/.test(pattern))).toBe(false);
});

it('gives everybody an inbox that nobody else reads', () => {
  for (const user of BROKER_USERS) expect(listeners(`_INBOX_${user}.a`)).toEqual([user]);
  expect(listeners('_INBOX.a')).toEqual([]);
});
