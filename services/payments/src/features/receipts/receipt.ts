/** Composes a payment's receipt: in English, then in the payer's language. Pure. */
import { toRupees } from '@karaar/contracts/charge';
import type { AccountPage, AccountSheet } from '@karaar/contracts/documents/print';
import type { Language } from '@karaar/contracts/limits';
import { issuerFacts, type Company } from '@karaar/base/config';
import { indianLocale } from '@karaar/base/texts';
import { say, type Key } from './texts.ts';

export type Receipt = {
  paymentId: string;
  documentName: string;
  payer: { name: string; charId: string };
  amountPaise: number;
  /** Undefined if the distribution was deleted since. */
  share: { percentage: number; totalPaise: number; days: number } | undefined;
  transferId: string;
  paidAt: Date;
  issuer: Company;
};

const RUPEES = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const moment = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(indianLocale(language), {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone: 'Asia/Kolkata',
  }).format(at);

const INDIAN_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' });

const rupees = (paise: number): string => `₹${RUPEES.format(toRupees(paise))}`;
const grouped = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
/** The page accepts 500 characters, and names can be longer. Does not split surrogate pairs. */
const clipped = (text: string): string => {
  const characters = [...text];
  return characters.length > 400 ? `${characters.slice(0, 400).join('')}…` : text;
};

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Random hex digits of the payment's id that the number contains: 60 bits. */
const RANDOM_DIGITS = 15;

/**
 * Returns the receipt's number. It has 16 characters, the most that Indian rules allow; two of them are the
 * first year of the payment's financial year. It is derived from the payment, so it never changes.
 */
export function receiptNumber(paymentId: string, paidAt: Date): string {
  let bits = BigInt(`0x${paymentId.replaceAll('-', '').slice(-RANDOM_DIGITS)}`);
  let code = '';
  for (let at = 0; at < 12; at += 1) {
    code = `${CROCKFORD[Number(bits & 31n)] ?? ''}${code}`;
    bits >>= 5n;
  }
  const [year = 0, month = 0] = INDIAN_DAY.format(paidAt).split('-').map(Number);
  return `KR${String((month < 4 ? year - 1 : year) % 100).padStart(2, '0')}${code}`;
}

/**
 * Returns the receipt's pages, with amounts in rupees and times in India's time zone.
 * @param receipt with amounts in paise
 * @param language the payer's; pages in another language follow the authoritative English ones
 */
export const receiptSheet = (receipt: Receipt, language: Language): AccountSheet => ({
  ...receiptPage(receipt, 'en'),
  ...(language === 'en' ? {} : { translation: receiptPage(receipt, language) }),
});

function receiptPage(receipt: Receipt, language: Language): AccountPage {
  const { share, payer } = receipt;
  const t = (key: Key, values?: Record<string, string>): string => say(language, key, values);
  const cost = share && [
    { label: t('charge'), value: rupees(share.totalPaise) },
    {
      label: t('chargedFor'),
      value: share.days === 1 ? t('oneDay') : t('days', { days: String(share.days) }),
    },
    { label: t('share'), value: `${share.percentage}%` },
  ];
  const note = language === 'en' ? [t('note')] : [t('note'), t('translation')];
  return {
    language,
    part: t('part'),
    title: t('title'),
    lead: t('lead', { name: clipped(receipt.documentName) }),
    reference: receipt.paymentId,
    facts: [
      { label: t('receiptNumber'), value: receiptNumber(receipt.paymentId, receipt.paidAt) },
      { label: t('amountPaid'), value: rupees(receipt.amountPaise) },
      { label: t('paidOn'), value: `${moment(language, receipt.paidAt)} IST` },
      { label: t('paidBy'), value: payer.name },
      { label: t('userId'), value: grouped(payer.charId) },
      ...(cost ?? []),
      ...issuerFacts(receipt.issuer, {
        issuedBy: t('issuedBy'),
        address: t('address'),
        gstin: t('gstin'),
      }),
    ],
    columns: [
      { title: t('reference'), numeric: false },
      { title: t('referenceNumber'), numeric: true },
    ],
    rows: [
      [t('payment'), receipt.paymentId],
      [t('transfer'), receipt.transferId],
    ],
    note: note.join(' '),
  };
}
