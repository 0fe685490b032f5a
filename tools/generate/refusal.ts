/** Thrown for what the caller can put right; its message is the whole answer. Nothing was written then. */
export class Refusal extends Error {}
