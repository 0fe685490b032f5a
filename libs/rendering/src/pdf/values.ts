import { PdfArray, type PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef } from '@libpdf/core';

export type Resolve = (ref: PdfRef) => PdfObject | null;

export type Box = [x0: number, y0: number, x1: number, y1: number];

/** Returns a PDF rectangle with its corners in order; undefined for another value. */
export function toBox(value: PdfObject | undefined, resolve: Resolve): Box | undefined {
  const numbers = toNumbers(value, resolve);
  if (numbers?.length !== 4) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** Returns the numbers of an array; undefined if a member is not a finite number. */
export function toNumbers(value: PdfObject | undefined, resolve: Resolve): number[] | undefined {
  const array = value instanceof PdfRef ? resolve(value) : value;
  if (!(array instanceof PdfArray)) return undefined;
  const numbers: number[] = [];
  for (let i = 0; i < array.length; i += 1) {
    const item = array.at(i, resolve);
    if (!(item instanceof PdfNumber) || !Number.isFinite(item.value)) return undefined;
    numbers.push(item.value);
  }
  return numbers;
}

export function numbers(...values: number[]): PdfArray {
  return new PdfArray(values.map((value) => PdfNumber.of(value)));
}

/** Returns the value of a key that holds a name. */
export function nameOf(dict: PdfDict, key: string, resolve: Resolve): string | undefined {
  const value = dict.get(key, resolve);
  return value instanceof PdfName ? value.value : undefined;
}

/** Formats a number in PDF syntax: no exponents. */
export function decimal(value: number): string {
  return Number(value.toFixed(5)).toString().includes('e')
    ? value.toFixed(5)
    : String(Number(value.toFixed(5)));
}
