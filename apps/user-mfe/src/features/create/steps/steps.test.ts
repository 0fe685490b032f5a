import { emptyForm } from '../form/form.ts';
import { datesFault, faultsOf, nameFromFile, stepAfter, stepBefore, STEPS } from './steps.ts';

const whole = { ...emptyForm, name: 'Lease', target_user_char_id: '7K3M9QXA' };
const faultLabels = (...of: Parameters<typeof faultsOf>) =>
  faultsOf(...of).map(({ step, field }) => `${step} ${field}`);

describe('the steps of a new agreement', () => {
  it('lead from the document to the signature and back', () => {
    expect(STEPS.map(stepAfter)).toEqual(['people', 'terms', 'sign', 'sign']);
    expect(STEPS.map(stepBefore)).toEqual([undefined, 'document', 'people', 'terms']);
  });

  it('show each fault at its field', () => {
    expect(faultLabels(emptyForm, 0)).toEqual(['document name', 'people target', 'document files']);
    expect(faultLabels(whole, 1)).toEqual([]);
    expect(faultLabels(whole, 1, 'targetUnknown')).toEqual(['people target']);
    expect(faultLabels({ ...whole, start_date: '2026-12-02', end_date: '2026-12-01' }, 1)).toEqual([
      'terms end_date',
    ]);
  });

  it('accept a number or an address instead of the ID', () => {
    const by = (target_contact: string) => ({
      ...emptyForm,
      name: 'Lease',
      invite_by: 'contact',
      target_contact,
    });
    expect(faultsOf(by(''), 1).map(({ key }) => key)).toEqual(['targetMissing']);
    expect(faultsOf(by('98765'), 1).map(({ key }) => key)).toEqual(['contactWrong']);
    for (const typed of ['98765 43210', '0091-98765.43210', '९८७६५ ४३२१०', '\u202a+91 98765 43210\u202c'])
      expect(faultsOf(by(typed), 1)).toEqual([]);
    // The result for an ID typed earlier does not apply to a contact.
    expect(
      faultsOf({ ...by('asha@example.org'), target_user_char_id: 'ABCD1234' }, 1, 'targetUnknown'),
    ).toEqual([]);
  });

  it('refuse an answer-by date that has passed or is more than a year ahead', () => {
    const by = (answer_by: string) => faultsOf({ ...whole, answer_by }, 1, null, '2026-11-25');
    for (const day of ['', '2026-11-25', '2027-11-25']) expect(by(day)).toEqual([]);
    for (const day of ['2026-11-24', '2027-11-26'])
      expect(by(day)).toEqual([{ step: 'people', field: 'answer_by', key: 'answerByWrong' }]);
  });

  it('accept a single day, and an open end', () => {
    for (const [start_date, end_date] of [
      ['2026-12-01', '2026-12-01'],
      ['2026-12-01', ''],
      ['', '2026-12-01'],
    ] as const)
      expect(datesFault({ start_date, end_date })).toBeUndefined();
  });

  it('do not take a date that was typed wrongly for an open one', () => {
    for (const typed of ['31/02/2026', '21/11/26', '2'])
      for (const field of ['start_date', 'end_date'] as const)
        expect(faultsOf({ ...whole, [field]: typed }, 1)).toEqual([
          { step: 'terms', field, key: 'dateUnread' },
        ]);
  });

  it('name the document after its file', () => {
    expect(nameFromFile('rent_agreement-2026.final.pdf')).toBe('rent agreement 2026.final');
    expect(nameFromFile('करार.docx')).toBe('करार');
    expect(nameFromFile('.pdf')).toBe('.pdf');
    expect(nameFromFile(`${'a'.repeat(300)}.pdf`)).toHaveLength(200);
  });
});
