import type { Document } from '@karaar/contracts/documents/http';
import fc from 'fast-check';
import { addFiles } from '../../../shared/uploads/uploads.ts';
import { sharedTexts } from '../../../shared/texts.ts';
import {
  emptyForm,
  fileFault,
  formFrom,
  nextPage,
  parsePageNo,
  RAW_FILES,
  renewalOf,
  type CreateForm,
} from './form.ts';
import { faultsOf } from '../steps/steps.ts';
import { createTexts } from '../texts.ts';

beforeAll(() => Promise.all([createTexts.load(), sharedTexts.load()]));

const faultText = (form: CreateForm, fileCount: number) => {
  const [fault] = faultsOf(form, fileCount);
  return fault ? createTexts.say(fault.key) : null;
};

const file = (name: string, size = 10) => ({ name, size });

describe('page details', () => {
  it('[DOC-003] [DOC-004] page numbers are integers from 1; invalid input becomes 1', () => {
    expect(['१२', '௭', ' ৩ '].map(parsePageNo)).toEqual([12, 7, 3]);
    expect(['7', '0', '-3', '', 'abc', '2.9', '1e99'].map(parsePageNo)).toEqual([7, 1, 1, 1, 1, 2, 1]);
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(parsePageNo(typed)).toBeGreaterThanOrEqual(1);
        expect(Number.isSafeInteger(parsePageNo(typed))).toBe(true);
      }),
    );
  });

  it('[DOC-005] the first entry has page number 1, the next ones follow the last', () => {
    expect(nextPage([])).toEqual({ page_no: 1, description: '' });
    expect(nextPage([{ page_no: 4, description: 'x' }]).page_no).toBe(5);
  });
});

describe('files', () => {
  it('[DOC-007] accepts PDF, DOC, DOCX, PNG, JPG and JPEG only', () => {
    for (const name of ['a.pdf', 'a.DOC', 'a.docx', 'a.png', 'a.jpg', 'a.b.JPEG']) {
      expect(fileFault(file(name))).toBeNull();
    }
    for (const name of ['a.exe', 'pdf', 'a.pdf.html', 'a.svg', ''])
      expect(fileFault(file(name))).not.toBeNull();
  });

  it('[DOC-011] refuses an empty file', () => {
    const fault = fileFault(file('a.pdf', 0));
    expect(fault && sharedTexts.say(fault)).toBe('a.pdf is empty and cannot be used');
  });

  it('[DOC-008] keeps the valid files of several, and shows why others are left out', () => {
    const { files, faults } = addFiles(
      [file('a.pdf')],
      [file('b.png'), file('c.exe'), file('d.docx', 0)],
      RAW_FILES,
    );
    expect(files.map((each) => each.name)).toEqual(['a.pdf', 'b.png']);
    expect(faults).toHaveLength(2);
  });

  it('holds no more files than the server accepts', () => {
    const many = Array.from({ length: 25 }, (_, index) => file(`${index}.pdf`));
    const { files, faults } = addFiles([], many, RAW_FILES);
    expect(files).toHaveLength(20);
    expect(faults.map((fault) => sharedTexts.say(fault))).toEqual(['At most 20 documents can be uploaded']);
  });
});

describe('a stored form', () => {
  it('survives JSON', () => {
    const form = { ...emptyForm, name: 'Rent', page_details: [{ page_no: 3, description: 'Keys' }] };
    expect(formFrom(JSON.parse(JSON.stringify(form)), emptyForm)).toEqual(form);
  });

  it('is restored as far as it is valid: another version may have written it', () => {
    const draft = { ...emptyForm, name: 'Draft', location: 'Pune' };
    fc.assert(
      fc.property(fc.jsonValue(), (kept) => {
        const form = formFrom(kept, draft);
        expect(Object.keys(form).sort()).toEqual(Object.keys(draft).sort());
        expect(form.page_details.every((page) => Number.isSafeInteger(page.page_no))).toBe(true);
      }),
    );
    expect(formFrom({ name: 7, location: 'Goa', page_details: [null, {}] }, draft)).toEqual({
      ...draft,
      location: 'Goa',
    });
  });
});

describe('the form', () => {
  it('[DOC-013] [DOC-014] [DOC-015] [DOC-016] reports missing fields in order', () => {
    expect(faultText(emptyForm, 0)).toBe('Please enter a document name');
    expect(faultText({ ...emptyForm, name: 'Rent' }, 0)).toBe(
      'Please enter a target user ID to create an agreement',
    );
    const whole = { ...emptyForm, name: 'Rent', target_user_char_id: '7K3MQX9A' };
    expect(faultText(whole, 0)).toBe('Please upload at least one document');
    expect(faultText({ ...whole, name: '  ' }, 1)).toBe('Please enter a document name');
    expect(faultText(whole, 1)).toBeNull();
  });
});

describe('a renewal', () => {
  const party = (user_id: string, state: string) => ({ user_id, char_id: `ID-${user_id}`, state });
  const ended = (start_date: string | null, end_date: string | null) =>
    ({
      name: 'Lease',
      location: 'Pune',
      description: null,
      page_details: [],
      start_date,
      end_date,
      parties: [party('u1', 'primary'), party('u3', 'requested'), party('u2', 'approved')],
    }) as unknown as Document; // only the fields that a renewal copies

  it('has the same terms and other party, for as many days from the day after the end', () => {
    expect(renewalOf(ended('2026-01-01', '2026-12-31'), 'u1')).toEqual({
      ...emptyForm,
      name: 'Lease',
      location: 'Pune',
      start_date: '2027-01-01',
      end_date: '2027-12-31',
      target_user_char_id: 'ID-u2',
    });
    expect(renewalOf(ended('2026-01-01', '2026-12-31'), 'u2').target_user_char_id).toBe('ID-u1');
  });

  it('leaves fields empty that were empty in the previous agreement', () => {
    expect(renewalOf(ended(null, '2026-12-31'), 'u1')).toMatchObject({
      start_date: '2027-01-01',
      end_date: '',
    });
    expect(renewalOf(ended('2026-01-01', null), 'u1')).toMatchObject({ start_date: '', end_date: '' });
  });
});
