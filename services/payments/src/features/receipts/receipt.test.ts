import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { untranslatedWords } from '@karaar/testing/latin-words';
import { receiptNumber, receiptSheet, type Receipt } from './receipt.ts';

const PAYMENT = '019a8f2e-1c5d-7b3a-9c11-0123456789ab';

it('derives a receipt’s number from its payment, within the 16 characters allowed', () => {
  const number = receiptNumber(PAYMENT, new Date('2026-11-25T10:00:00Z'));
  expect(number).toMatch(/^KR26[0-9A-HJKMNP-TV-Z]{12}$/);
  expect(number).toHaveLength(16);
  expect(receiptNumber(PAYMENT, new Date('2026-11-25T10:00:00Z'))).toBe(number);
  expect(receiptNumber(PAYMENT.replace('ab', 'ac'), new Date('2026-11-25T10:00:00Z'))).not.toBe(number);
});

it("has India's financial year in the number, which begins on 1 April", () => {
  expect(receiptNumber(PAYMENT, new Date('2027-03-31T18:29:00Z'))).toMatch(/^KR26/);
  expect(receiptNumber(PAYMENT, new Date('2027-03-31T18:31:00Z'))).toMatch(/^KR27/);
});

const RECEIPT: Receipt = {
  paymentId: PAYMENT,
  documentName: 'Rent of the flat',
  payer: { name: 'Vikram Shah', charId: '9H4TR2WK' },
  amountPaise: 1_23_456_00,
  share: { percentage: 70, totalPaise: 1_76_365_72, days: 335 },
  transferId: '019a8f2e-2222-7b3a-9c11-0123456789ab',
  paidAt: new Date('2026-11-25T10:00:09Z'),
  issuer: {
    COMPANY_NAME: 'Karaar Agreements Pvt Ltd',
    COMPANY_ADDRESS: '12 MG Road, Pune 411001',
    COMPANY_GSTIN: '27AAPFU0939F1ZV',
  },
};
const KEPT = [
  'Rent of the flat',
  'Vikram Shah',
  '9H4T R2WK',
  PAYMENT,
  RECEIPT.transferId,
  ...Object.values(RECEIPT.issuer),
  receiptNumber(PAYMENT, RECEIPT.paidAt),
];
const translated = LANGUAGES.filter((language) => language !== 'en');
const said = (language: Language, change: Partial<Receipt> = {}) => {
  const sheet = receiptSheet({ ...RECEIPT, ...change }, language);
  return { english: sheet, own: sheet.translation ?? sheet };
};

it('in English has one page with company, GSTIN, number and date in the usual Indian form', () => {
  const sheet = receiptSheet(RECEIPT, 'en');
  expect(sheet.translation).toBeUndefined();
  expect(sheet.lead).toBe('Payment for Rent of the flat, taken from the Karaar wallet of the payer.');
  expect(sheet.facts).toEqual([
    { label: 'Receipt number', value: expect.stringMatching(/^KR26/) },
    { label: 'Amount paid', value: '₹1,23,456.00' },
    { label: 'Paid on', value: '25 Nov 2026, 15:30:09 IST' },
    { label: 'Paid by', value: 'Vikram Shah' },
    { label: 'User ID', value: '9H4T R2WK' },
    { label: 'Document charge', value: '₹1,76,365.72' },
    { label: 'Charged for', value: '335 days' },
    { label: 'Payer’s share', value: '70%' },
    { label: 'Issued by', value: 'Karaar Agreements Pvt Ltd' },
    { label: 'Address', value: '12 MG Road, Pune 411001' },
    { label: 'GSTIN', value: '27AAPFU0939F1ZV' },
  ]);
});

describe.each(translated)('in %s', (language) => {
  const { english, own } = said(language);

  it('comes after the English one and says that the English one is authoritative', () => {
    expect(english.title).toBe('Payment receipt');
    expect(english.note).not.toContain('translation');
    expect(own).not.toBe(english);
    expect(own.language).toBe(language);
    expect(own.note.length).toBeGreaterThan(english.note.length);
  });

  it('has every value of the English one, and no English words', () => {
    expect(own.facts).toHaveLength(english.facts.length);
    const digits = (text: string) => text.match(/\d+/g) ?? [];
    own.facts.forEach(({ value }, i) => expect(digits(value)).toEqual(digits(english.facts[i]?.value ?? '')));
    let words = JSON.stringify({ ...own, language: '', reference: '' }).replace(/"\w+":/g, ' ');
    for (const kept of KEPT) {
      expect(words).toContain(kept);
      words = words.replaceAll(kept, ' ');
    }
    expect(untranslatedWords(words.replace(/\bIST\b/g, ' '))).toEqual(['false', 'true']);
  });

  it('has the singular for one day', () => {
    const share = { percentage: 100, totalPaise: 200, days: 1 };
    const values = said(language, { share }).own.facts.map(({ value }) => value);
    expect(values.filter((value) => /^1 \p{L}/u.test(value))).toHaveLength(1);
  });
});

it('fits the page however long the document’s name is', () => {
  for (const language of LANGUAGES)
    expect(said(language, { documentName: 'த'.repeat(2_000) }).own.lead.length).toBeLessThanOrEqual(500);
});
