const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns false for a path parameter that cannot be an id, so that callers respond 404 without a query. */
export const isUuid = (value: string): boolean => UUID.test(value);
