/** The rules of the Create Agreement form (spec §5 Create document); pure. */
import type { Document } from '@karaar/contracts/documents/http';
import { RAW_FILES_MAX_COUNT } from '@karaar/contracts/limits';
import { readPlain } from '@karaar/contracts/typed/read';
import { sizeFault, type FileLike, type UploadFault } from '../../../shared/uploads/uploads.ts';

export type PageEntry = { page_no: number; description: string };

export type CreateForm = {
  name: string;
  location: string;
  start_date: string;
  end_date: string;
  description: string;
  target_user_char_id: string;
  /** A phone number or an e-mail address instead of the ID; never saved with a draft. */
  target_contact: string;
  /** `contact` or `id`. */
  invite_by: string;
  /**
   * The date by which the other party is asked to answer; empty for none. Kept in the browser, not with the
   * draft.
   */
  answer_by: string;
  /** `cancel` if Karaar cancels the document after that date; kept with it. */
  late: string;
  page_details: PageEntry[];
};

export const emptyForm: CreateForm = {
  name: '',
  location: '',
  start_date: '',
  end_date: '',
  description: '',
  target_user_char_id: '',
  target_contact: '',
  invite_by: 'id',
  answer_by: '',
  late: '',
  page_details: [],
};

/** Returns the form of a draft; the empty form without a draft. */
export function formOf(draft: Document | undefined): CreateForm {
  if (!draft) return emptyForm;
  return {
    name: draft.name,
    location: draft.location ?? '',
    start_date: draft.start_date ?? '',
    end_date: draft.end_date ?? '',
    description: draft.description ?? '',
    target_user_char_id: draft.target_user_char_id ?? '',
    target_contact: '',
    invite_by: 'id',
    answer_by: '',
    late: '',
    page_details: draft.page_details.map((page) => ({ ...page })),
  };
}

const DAY_MS = 86_400_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns a new agreement after this one: the same people and terms, for as many days, from the day after its
 * end.
 */
export function renewalOf(ended: Document, ownId: string): CreateForm {
  const other = ended.parties.find(({ user_id, state }) => user_id !== ownId && state !== 'requested');
  const { start_date: start, end_date: end } = ended;
  const begins = end ? Date.parse(`${end}T00:00:00Z`) + DAY_MS : undefined;
  const lasts = start && end ? Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`) : undefined;
  return {
    ...formOf(ended),
    start_date: begins === undefined ? '' : dayAt(begins),
    end_date: begins === undefined || lasts === undefined ? '' : dayAt(begins + lasts),
    target_user_char_id: other?.char_id ?? '',
  };
}

/** Returns the ID or contact in the form; empty until it is filled in. */
export const targetOf = (form: CreateForm): string =>
  (form.invite_by === 'contact' ? form.target_contact : form.target_user_char_id).trim();

/** Returns the valid parts of a stored form; other fields are as in `form`. */
export function formFrom(kept: unknown, form: CreateForm): CreateForm {
  const fields = (kept ?? {}) as Record<string, unknown>;
  const { page_details: pages, ...texts } = form;
  const words = Object.entries(texts).map(([name, text]) => {
    const value = fields[name];
    return [name, typeof value === 'string' ? value : text];
  });
  const isPage = (page: unknown): page is PageEntry => {
    const { page_no, description } = (page ?? {}) as Partial<PageEntry>;
    return Number.isSafeInteger(page_no) && typeof description === 'string';
  };
  const listed = fields['page_details'];
  return {
    ...(Object.fromEntries(words) as Omit<CreateForm, 'page_details'>),
    page_details: Array.isArray(listed) ? listed.filter(isPage) : pages,
  };
}

export const ACCEPTED = '.pdf,.doc,.docx,.png,.jpg,.jpeg';

const extensions = new Set(ACCEPTED.split(','));
const extension = (name: string) => name.slice(name.lastIndexOf('.')).toLowerCase();

/** Returns why a file is refused, or null. The server checks the content. */
export function fileFault(file: FileLike): UploadFault | null {
  return extensions.has(extension(file.name))
    ? sizeFault(file)
    : { key: 'wrongType', values: { name: file.name } };
}

/** The limits of an agreement's files. */
export const RAW_FILES = { most: RAW_FILES_MAX_COUNT, faultOf: fileFault } as const;

/** Returns a page number of at least 1; invalid input becomes 1. */
export function parsePageNo(typed: string): number {
  const number = Number.parseInt(readPlain(typed), 10);
  return Number.isSafeInteger(number) && number >= 1 ? number : 1;
}

/** Returns the entry for Add Page: the page after the last one, from 1. */
export function nextPage(entries: readonly PageEntry[]): PageEntry {
  return { page_no: (entries.at(-1)?.page_no ?? 0) + 1, description: '' };
}
