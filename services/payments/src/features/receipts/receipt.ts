/** A payment's receipt as pages of account: in English, then once more in the payer's language. Pure. */
import { toRupees } from '@karaar/contracts/charge';
import type { AccountPage, AccountSheet } from '@karaar/contracts/documents/print';
import type { Language } from '@karaar/contracts/limits';
import { issuerFacts, type Company } from '@karaar/platform/config';
import { indianLocale } from '@karaar/platform/texts';
import { say, type Key } from './texts.ts';

export type Receipt = {
  paymentId: string;
  documentName: string;
  payer: { name: string; charId: string };
  amountPaise: number;
  /** Undefined when the distribution has been replaced since. */
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

/** 2026-04-01 */
const INDIAN_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' });

const rupees = (paise: number): string => `₹${RUPEES.format(toRupees(paise))}`;
const grouped = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
/** The page takes 500 characters; a document's name may be longer, and no character is cut in half. */
const clipped = (text: string): string => {
  const characters = [...text];
  return characters.length > 400 ? `${characters.slice(0, 400).join('')}…` : text;
};

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Hex digits of a payment's id that are random and stand in its number: 60 bits. */
const RANDOM_DIGITS = 15;

/**
 * The receipt's number: 16 characters, the most that Indian rules for such numbers allow, of which two are the year in
 * which the financial year of the payment began. It follows from the payment, so a receipt keeps its number.
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
 * @param receipt amounts in paise; printed in rupees, times in India's
 * @param language of the payer; in another one than English, its pages follow the English ones, which hold
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
