/** For whom a court pack is made: this decides which files are in it and how much of the history. */
export type PackHolder =
  /** A party gets the party's own photos and signature. */
  | { kind: 'party'; userId: string; name: string }
  /**
   * An admin gets the record, with hashes in place of every file and photo. Under an order of a court or an authority the
   * files and the photos of every party are in it as well: the sealed PDF shows their faces.
   */
  | { kind: 'admin'; contents: 'record' | 'all' };
