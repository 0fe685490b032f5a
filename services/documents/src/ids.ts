const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A path parameter that is not a UUID names no object: callers answer 404 instead of asking the database. */
export const isUuid = (value: string): boolean => UUID.test(value);
