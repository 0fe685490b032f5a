/** A document code as it is typed: upper-cased, at most 8 characters, spaces of a grouped code dropped. */
export const codeCharacters = (typed: string): string => typed.replace(/\s/g, '').toUpperCase().slice(0, 8);
