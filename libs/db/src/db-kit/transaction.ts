import { AsyncLocalStorage } from 'node:async_hooks';
import { sql, type IsolationLevel, type Kysely, type Transaction } from 'kysely';
import { isSerializationFault } from './faults.ts';

/** An open transaction. A function that takes one can only be called inside `inTransaction`. */
export type Tx<DB> = Transaction<DB>;

export type TxOptions = {
  isolation?: IsolationLevel;
  /**
   * Retries after a serialization failure or deadlock; 0 by default, because the callback must be safe to run
   * twice.
   */
  retries?: number;
};

type Scope = { open: boolean; hooks: (() => void)[] };

const scopes = new AsyncLocalStorage<Scope>();

function openScope(): Scope | undefined {
  const scope = scopes.getStore();
  return scope?.open === true ? scope : undefined;
}

/**
 * Throws inside a transaction. For calls that must not happen there: a network call holds locks until it
 * returns, and a second connection can wait for the first one forever.
 */
export function assertOutsideTransaction(what: string): void {
  if (openScope()) throw new Error(`${what} inside a transaction. Do it before or after; inside, use tx.`);
}

/**
 * Registers a hook that runs after the caller's transaction has committed, and not if it rolls back. The hook
 * is lost if the process dies, so nothing may depend on it alone.
 */
export function afterCommit(hook: () => void): void {
  const scope = openScope();
  if (!scope) throw new Error('afterCommit needs inTransaction around it');
  scope.hooks.push(hook);
}

/**
 * Runs `work` in one transaction: commits when it returns, rolls back when it throws. Throws if it is nested,
 * and on any use of the pool from inside (instead of `tx`).
 */
export async function inTransaction<DB, T>(
  db: Kysely<DB>,
  work: (tx: Tx<DB>) => Promise<T>,
  options: TxOptions = {},
): Promise<T> {
  if (db.isTransaction)
    throw new Error('inTransaction was given a transaction. Pass tx on instead of opening another.');
  assertOutsideTransaction('inTransaction was called');
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await once(db, work, options.isolation);
    } catch (error) {
      if (attempt >= (options.retries ?? 0) || !isSerializationFault(error)) throw error;
    }
  }
}

async function once<DB, T>(
  db: Kysely<DB>,
  work: (tx: Tx<DB>) => Promise<T>,
  isolation?: IsolationLevel,
): Promise<T> {
  const scope: Scope = { open: true, hooks: [] };
  const builder = isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction();
  const result = await builder.execute((tx) =>
    scopes.run(scope, async () => {
      try {
        return await work(tx);
      } finally {
        scope.open = false;
      }
    }),
  );
  // The transaction is committed: an error from here on must not look like its failure.
  for (const hook of scope.hooks) queueMicrotask(hook);
  return result;
}

/** Waits for the other transactions that hold the lock of this name, and holds it until this one ends. */
export async function lockName<DB>(tx: Tx<DB>, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
