import type { ColumnType } from 'kysely';

export type CreatedAt = ColumnType<Date, never, never>;
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>;
/** int8 as a number; db-kit checks that the value is a safe integer. */
export type Bigint = ColumnType<number, number, number>;
export type Json<T> = ColumnType<T, string, string>;
