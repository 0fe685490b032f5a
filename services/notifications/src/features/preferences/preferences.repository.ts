import type { Selectable } from 'kysely';
import type { Db, PreferencesTable, SettingsTable } from '../../db/schema.ts';
import type { QuietHours } from './quiet-hours.ts';

export const preferencesOf = (db: Db, userId: string): Promise<PreferencesTable[]> =>
  db.selectFrom('preferences').selectAll().where('user_id', '=', userId).execute();

export async function setPreferences(db: Db, preferences: readonly PreferencesTable[]): Promise<void> {
  if (preferences.length === 0) return;
  await db
    .insertInto('preferences')
    .values([...preferences])
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'channel'])
        .doUpdateSet((eb) => ({ wanted: eb.ref('excluded.wanted') })),
    )
    .execute();
}

export type Settings = { quietHours: QuietHours | null; namesInSubjects: boolean; attachSealed: boolean };

export async function settingsOf(db: Db, userId: string): Promise<Settings> {
  const row = await db.selectFrom('settings').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return {
    quietHours: row ? quietHoursIn(row) : null,
    namesInSubjects: row?.names_in_subjects ?? false,
    attachSealed: row?.attach_sealed ?? false,
  };
}

export const quietHoursIn = ({
  quiet_from,
  quiet_until,
}: Pick<Selectable<SettingsTable>, 'quiet_from' | 'quiet_until'>): QuietHours | null =>
  quiet_from !== null && quiet_until !== null ? { from: quiet_from, until: quiet_until } : null;

export async function setSettings(
  db: Db,
  userId: string,
  change: { [K in keyof Settings]?: Settings[K] | undefined },
): Promise<void> {
  const { quietHours, namesInSubjects, attachSealed } = change;
  const columns = {
    ...(quietHours === undefined
      ? {}
      : { quiet_from: quietHours?.from ?? null, quiet_until: quietHours?.until ?? null }),
    ...(namesInSubjects === undefined ? {} : { names_in_subjects: namesInSubjects }),
    ...(attachSealed === undefined ? {} : { attach_sealed: attachSealed }),
  };
  if (Object.keys(columns).length === 0) return;
  await db
    .insertInto('settings')
    .values({ user_id: userId, quiet_from: null, quiet_until: null, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute();
}
