import { PageDetail } from '@karaar/contracts/documents/http';
import { readCode } from '@karaar/contracts/typed/read';
import { readLine, readLines } from '@karaar/base/schema';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { fieldFault } from '../../../errors.ts';

const PageDetails = Type.Array(PageDetail, { maxItems: 500 });

export type NewDocumentFields = {
  name: string;
  location?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  description?: string | undefined;
  page_details?: string | undefined;
};

export type NewDocumentDetails = {
  name: string;
  location: string | null;
  startDate: string | null;
  endDate: string | null;
  description: string | null;
  pageDetails: Static<typeof PageDetails>;
};

/** Returns the typed ID of the other party: a complete ID in stored form, other text in upper case. */
export const typedCode = (typed: string | undefined): string | null =>
  typed ? (readCode(typed) ?? typed.toUpperCase()) : null;

/** Validates the fields; dates are `YYYY-MM-DD` or empty. Throws 422 with the invalid field. */
export function parseNewDocument(fields: NewDocumentFields): NewDocumentDetails {
  const name = readLine('name', fields.name);
  if (name === '') throw fieldFault('name', 'Please enter a document name');
  const startDate = day('start_date', fields.start_date);
  const endDate = day('end_date', fields.end_date);
  if (startDate && endDate && endDate < startDate) {
    throw fieldFault('end_date', 'The end date is before the start date.');
  }
  return {
    name,
    location: blankToNull(fields.location && readLine('location', fields.location)),
    startDate,
    endDate,
    description: blankToNull(fields.description && readLines('description', fields.description)),
    pageDetails: parsePageDetails(fields.page_details),
  };
}

function parsePageDetails(json: string | undefined): Static<typeof PageDetails> {
  if (!json) return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw fieldFault('page_details', 'Page details must be a JSON list of {page_no, description}.');
  }
  if (!Value.Check(PageDetails, value)) {
    throw fieldFault(
      'page_details',
      'Page details must be a list of {page_no, description}; page numbers start at 1.',
    );
  }
  return value.map(({ page_no, description }) => ({
    page_no,
    description: readLines('page_details', description),
  }));
}

/** Rejects days that do not exist, such as `2026-02-30`. */
function day(loc: string, value: string | undefined): string | null {
  const text = blankToNull(value);
  if (text === null) return null;
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) {
    throw fieldFault(loc, 'This is not a day of the calendar.');
  }
  return text;
}

const blankToNull = (text: string | undefined): string | null => text?.trim() || null;
