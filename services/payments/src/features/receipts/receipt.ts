/** A payment's receipt as a page of account. Pure. */
import { toRupees } from '@karaar/contracts/charge';
import type { AccountSheet } from '@karaar/contracts/documents/print';

export type Receipt = {
  paymentId: string;
  documentName: string;
  payer: { name: string; charId: string };
  amountPaise: number;
  /** Undefined when the distribution has been replaced since. */
  share: { percentage: number; totalPaise: number; days: number } | undefined;
  transferId: string;
  paidAt: Date;
};

const RUPEES = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const MOMENT = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'Asia/Kolkata',
});

const rupees = (paise: number): string => `₹${RUPEES.format(toRupees(paise))}`;
const grouped = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
/** The page takes 500 characters; a document's name may be longer, and no character is cut in half. */
const clipped = (text: string): string => {
  const characters = [...text];
  return characters.length > 400 ? `${characters.slice(0, 400).join('')}…` : text;
};

/** @param receipt amounts in paise; printed in rupees, times in India's */
export function receiptSheet(receipt: Receipt): AccountSheet {
  const { share, payer } = receipt;
  const cost = share && [
    { label: 'Charge of the document', value: rupees(share.totalPaise) },
    { label: 'For', value: share.days === 1 ? '1 day' : `${share.days} days` },
    { label: 'Share', value: `${share.percentage}%` },
  ];
  return {
    part: 'Receipt',
    title: 'Payment receipt',
    lead: `Payment for ${clipped(receipt.documentName)}, taken from the Karaar wallet of the payer.`,
    reference: receipt.paymentId,
    facts: [
      { label: 'Amount paid', value: rupees(receipt.amountPaise) },
      { label: 'Paid on', value: `${MOMENT.format(receipt.paidAt)} IST` },
      { label: 'Paid by', value: payer.name },
      { label: 'User ID', value: grouped(payer.charId) },
      ...(cost ?? []),
    ],
    columns: [
      { title: 'Reference', numeric: false },
      { title: 'Number', numeric: true },
    ],
    rows: [
      ['Payment', receipt.paymentId],
      ['Wallet transaction', receipt.transferId],
    ],
    note: 'One coin of the wallet is one Indian rupee. This receipt was made by a computer and needs no signature.',
  };
}
