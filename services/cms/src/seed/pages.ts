import { LAW, type LawText } from '@karaar/contracts/cms/law';
import { LAW_SLUG, lawSlug } from '@karaar/contracts/law-pages';
import { LANGUAGES } from '@karaar/contracts/limits';

/** Returns the Markdown of the words about the law. */
export const lawPage = ({ title, lines }: LawText): PageText => ({
  title,
  content: lines.map(({ text, heading }) => (heading ? `### ${text}` : `- ${text}`)).join('\n\n'),
});

/** The pages of a new installation (design §3 CMS). Seeding never overwrites an editor's text. */
export const SEED_PAGES = [
  {
    slug: 'about',
    title: 'About Us',
    content: `Karaar (करार, "agreement") lets people in India agree on documents with others and prove it later.

## What you can do here

- **Agree.** Upload the files, name the other party by their 8-character ID, or share the document's code.
- **Verify.** Each party shows a live face photo, a live eye photo and draws a signature.
- **Seal.** When everybody has approved, all files become one PDF with a signature page and a certificate. The seal shows whether a single byte was changed afterwards.
- **Pay.** A document costs a small amount per day, paid from your wallet. One coin is one rupee.
- **Talk.** Write to the other party without leaving the agreement.

## What we keep, and why

We keep the files you upload, your verification images and a record of who did what and when, because that record is the proof of your agreement. Images are stored encrypted, each person's under a key of their own. The [privacy policy](/welcome/privacy) says more.`,
  },
  {
    slug: 'contact',
    title: 'Contact Support',
    content: `We are glad to help, in English and in Hindi.

- **E-mail:** support@karaar.example
- **Hours:** Monday to Saturday, 9:00 to 18:00 (India time)

## Before you write

- **No code arrived?** Wait 30 seconds and ask for another one. A number without an account gets a text that says how to register.
- **The camera does not start?** Allow the camera for this site in your browser's settings, close other apps that use it, and try again.
- **A top-up is missing?** Payments that were charged are credited by themselves within a few minutes. If yours is not, send us the payment ID from your bank's message – never a card number, PIN or one-time code.

We never ask for a one-time code, a password or a card number, by phone, text or e-mail.`,
  },
  {
    slug: 'terms',
    title: 'Terms & Conditions',
    content: `These terms apply when you use Karaar. Please read them; they are short on purpose.

## 1. Your account

You register with your own phone number, name and government ID, and keep your phone to yourself. Tell us when you lose it. One person has one account.

## 2. Agreements

You decide with whom you agree and on what. Karaar records what each party did and seals the result; it is not a party to your agreement, does not give legal advice and does not check what your documents say. Some documents – wills, trusts, most powers of attorney and most negotiable instruments among them – cannot be signed electronically under Indian law.

## 3. Verification

The photos and the signature must be yours and taken for the document at hand. Using another person's images is a ground to close an account and may be an offence.

## 4. Wallet and charges

A document is charged per day at the rate shown when it was created. Coins are prepaid; one coin is one rupee. Charges for sealed documents are not refunded; unused coins are refunded on request to the source they came from.

## 5. What you must not do

Do not upload what is unlawful, break into accounts or documents of others, or load the service with automatic requests.

## 6. Ending

You may delete your account at any time. Agreements that others rely on keep your name and the record of what you approved.

## 7. Law

Indian law applies.`,
  },
  {
    slug: 'privacy',
    title: 'Privacy Policy',
    content: `This page says which data Karaar keeps about you, why, for how long, and what you can ask of us under the Digital Personal Data Protection Act, 2023.

## What we keep

- **Account:** name, phone number, e-mail address, city, state, and type, number and image of a government ID. The number and the image are encrypted.
- **Verification:** a face photo, an eye photo, a drawn signature and, where you give it, an image of a fingerprint, for each agreement that you verify yourself for. They are encrypted under a key that belongs to you alone.
- **Agreements:** the files, the parties, and who did what and when.
- **Money:** top-ups and charges. Card numbers never reach us.
- **Messages** between you and other users.

## Why

To know who agrees, to prove it later, to charge what was used, and to keep accounts safe. We sell nothing and show no advertising.

## Who sees it

The parties of an agreement see its files, names and states. Others see a name and an 8-character ID; phone number and e-mail address are masked. Admins see images only with a reason that is recorded. They see files only under an order of a court or an authority, and that is recorded too.

## How long

As long as your account exists. When you delete it, your key is destroyed, and with it your images; agreements keep names and commitments, because others rely on them.

## What you can ask

To see, correct, export or delete your data, and to withdraw consent for the future. Write to privacy@karaar.example.`,
  },
  { slug: LAW_SLUG, ...lawPage(LAW.en) },
] as const;

export type PageText = { title: string; content: string };
/** The words about the law in the other languages, each a page that an editor can change. */
export const LAW_TRANSLATIONS: readonly (PageText & { slug: string })[] = LANGUAGES.filter(
  (language) => language !== 'en',
).map((language) => ({ slug: lawSlug(language), ...lawPage(LAW[language]) }));

export type PageTexts = Record<Exclude<(typeof SEED_PAGES)[number]['slug'], typeof LAW_SLUG>, PageText>;
