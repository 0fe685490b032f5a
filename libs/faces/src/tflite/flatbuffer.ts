/**
 * Reads FlatBuffer tables by field number: only the features that a TFLite file needs, without generated
 * code.
 */

/** A table of a FlatBuffer; missing fields have their defaults. */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  int8(field: number, fallback = 0): number {
    const at = this.#field(field);
    return at === 0 ? fallback : this.#view.getInt8(at);
  }

  int32(field: number, fallback = 0): number {
    const at = this.#field(field);
    return at === 0 ? fallback : this.#view.getInt32(at, true);
  }

  /** Returns a nested table; undefined if the field is missing. */
  table(field: number): FlatTable | undefined {
    const at = this.#field(field);
    return at === 0 ? undefined : new FlatTable(this.#view, this.#follow(at));
  }

  tables(field: number): FlatTable[] {
    const { length, start } = this.#vector(field);
    return Array.from({ length }, (_, i) => new FlatTable(this.#view, this.#follow(start + 4 * i)));
  }

  ints(field: number): number[] {
    const { length, start } = this.#vector(field);
    return Array.from({ length }, (_, i) => this.#view.getInt32(start + 4 * i, true));
  }

  /** Returns a copy of a vector of bytes; empty if it is missing. */
  bytes(field: number): Uint8Array<ArrayBuffer> {
    const { length, start } = this.#vector(field);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + start, length).slice();
  }

  text(field: number): string {
    return new TextDecoder().decode(this.bytes(field));
  }

  /**
   * Returns the position of a field's value, 0 if it is missing. The table starts with the distance to its
   * field index.
   */
  #field(field: number): number {
    const index = this.#at - this.#view.getInt32(this.#at, true);
    const slot = 4 + 2 * field;
    if (slot >= this.#view.getUint16(index, true)) return 0;
    const offset = this.#view.getUint16(index + slot, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  #vector(field: number): { length: number; start: number } {
    const at = this.#field(field);
    if (at === 0) return { length: 0, start: 0 };
    const vector = this.#follow(at);
    return { length: this.#view.getUint32(vector, true), start: vector + 4 };
  }

  #follow(at: number): number {
    return at + this.#view.getUint32(at, true);
  }
}
