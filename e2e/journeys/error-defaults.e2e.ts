/** The default text of each failing request whose answer has no text (spec §8), on the screens. */
import { jest } from '@jest/globals';
import { agree, createDocument, invite, topUp } from '../src/journey.ts';
import { withScreen } from '../src/browser/opened.ts';
import { newPerson, type Person } from '../src/person.ts';
import type { Screen } from '../src/browser/screen.ts';
import { toastIs } from '../src/browser/toasts.ts';
import { openBrowser } from '../src/test-file.ts';

jest.setTimeout(60_000);

const documents = { pending: '', approved: '' };
const world = await openBrowser();
const [asha, vikram] = await Promise.all([
  newPerson(world.url, 'Asha Iyer'),
  newPerson(world.url, 'Vikram Nair'),
]);
documents.pending = await createDocument(asha);
await invite(asha, vikram, documents.pending);
documents.approved = await createDocument(asha);
await agree(asha, vikram, documents.approved);
await topUp(world.url, asha, 100);

type Failing = {
  path: () => string;
  as?: () => Person;
  /** The request that fails, with an answer without a text. */
  call: [methods: string, path: RegExp];
  status?: number;
  /** Causes the request, unless the screen makes it when it loads. */
  act?: (screen: Screen) => Promise<void>;
  says: string;
};

/** Storage of an earlier visit, with which the shell starts without a profile request. */
const rememberedUser = (person: Person) =>
  JSON.stringify({
    user_id: person.userId,
    char_id: person.charId,
    name: person.name,
    email: 'x@example.org',
    phone_no: person.phone,
    is_admin: false,
    profile: { isComplete: true, completionPercentage: 100, missing: [] },
  });

const failing = async ({
  path,
  as,
  call: [methods, url],
  status = 400,
  act,
  says,
}: Failing): Promise<void> => {
  const person = as?.();
  await withScreen(
    world,
    {
      path: path(),
      ...(person ? { as: person, storage: { user: rememberedUser(person) } } : {}),
      interfere: (request) => {
        const fails =
          methods.split(' ').includes(request.method()) && url.test(new URL(request.url()).pathname);
        return fails ? { status, body: '{}', contentType: 'application/json' } : undefined;
      },
    },
    async (screen) => {
      await act?.(screen);
      await screen.says(says);
    },
  );
};

const me = () => asha;
const detail = (which: keyof typeof documents) => () => `/document/${documents[which]}`;
const payment = () => `/document/${documents.approved}/payment`;
const phone = (screen: Screen) => screen.fill('Phone number', '9876500000');

const calls: [what: string, failing: Failing][] = [
  [
    '[ERROR-011] sending a code',
    {
      path: () => '/login',
      call: ['POST', /\/auth\/send-otp$/],
      act: async (screen) => {
        await phone(screen);
        await screen.press('Send OTP');
      },
      says: 'Failed to send OTP',
    },
  ],
  [
    '[ERROR-008] signing in',
    {
      path: () => '/login',
      call: ['POST', /\/auth\/login$/],
      act: async (screen) => {
        await phone(screen);
        await screen.fill('One-time code', 'ABCDEF');
      },
      says: 'Login failed',
    },
  ],
  [
    '[ERROR-013] fetching the profile',
    { path: () => '/profile', as: me, call: ['GET', /\/users\/profile$/], says: 'Failed to fetch profile' },
  ],
  [
    '[ERROR-010] saving the profile',
    {
      path: () => '/profile',
      as: me,
      call: ['PUT', /\/users\/profile$/],
      act: async (screen) => {
        await screen.press('Edit');
        await screen.press('Save Changes');
      },
      says: 'Profile update failed',
    },
  ],
  [
    '[ERROR-017] loading the documents',
    {
      path: () => '/dashboard',
      as: me,
      call: ['GET', /\/documents\/my-documents(\/page)?$/],
      says: 'Failed to load documents',
    },
  ],
  [
    '[ERROR-027] fetching the pending agreements',
    {
      path: () => '/dashboard',
      as: () => vikram,
      call: ['GET', /\/documents\/pending-agreements$/],
      says: 'Failed to fetch pending agreements',
    },
  ],
  [
    '[ERROR-028] rejecting an agreement',
    {
      path: () => '/dashboard',
      as: () => vikram,
      call: ['POST', /\/respond-agreement$/],
      act: async (screen) => {
        await screen.press('Pending Agreements (1)');
        await screen.press('Reject');
      },
      says: 'Failed to respond to agreement',
    },
  ],
  [
    '[ERROR-014] loading a document',
    {
      path: detail('pending'),
      as: me,
      call: ['GET', /\/documents\/[0-9a-f-]{36}$/],
      says: 'Failed to load document',
    },
  ],
  [
    '[ERROR-021] approving the document',
    {
      path: detail('pending'),
      as: me,
      call: ['PUT', /\/approve\/[0-9a-f-]+$/],
      act: (screen) => screen.press('Approve Document'),
      says: 'Failed to approve document',
    },
  ],
  [
    '[ERROR-023] adding a user',
    {
      path: detail('pending'),
      as: me,
      call: ['POST', /\/add-user$/],
      act: async (screen) => {
        await screen.press('Manage Users');
        await screen.fill('Add user by ID', '7K3MQX9A');
        await screen.press('Add User');
      },
      says: 'Failed to add user',
    },
  ],
  [
    '[ERROR-025] removing a user',
    {
      path: detail('pending'),
      as: me,
      call: ['DELETE', /\/remove-user\//],
      act: async (screen) => {
        await screen.press('Manage Users');
        await screen.press('Remove Vikram Nair');
        await screen.press('Remove');
      },
      says: 'Failed to remove user',
    },
  ],
  [
    '[ERROR-019] finalizing',
    {
      path: detail('approved'),
      as: me,
      call: ['PATCH', /\/finalize$/],
      act: async (screen) => {
        await screen.press('Finalize Document');
        await screen.press('Continue');
      },
      says: 'Failed to finalize document',
    },
  ],
  [
    '[ERROR-015] paying for a document that is not there',
    {
      path: payment,
      as: me,
      call: ['GET', /\/documents\/[0-9a-f-]{36}$/],
      status: 404,
      says: 'Document not found',
    },
  ],
  [
    '[ERROR-016] loading the document to pay for',
    {
      path: payment,
      as: me,
      call: ['GET', /\/documents\/[0-9a-f-]{36}$/],
      says: 'Failed to load document data',
    },
  ],
  [
    '[ERROR-031] loading what a document costs',
    { path: payment, as: me, call: ['GET', /\/calculate$/], says: 'Failed to load payment information' },
  ],
  [
    '[ERROR-033] paying',
    {
      path: payment,
      as: me,
      call: ['POST', /\/pay$/],
      act: async (screen) => {
        await screen.press('Make Payment');
        await screen.press('Pay ₹7');
      },
      says: 'Failed to process payment',
    },
  ],
  [
    '[ERROR-038] loading the wallet',
    {
      path: () => '/wallet',
      as: me,
      call: ['GET', /\/wallet\/balance$/],
      says: 'Failed to load wallet data',
    },
  ],
  [
    '[ERROR-037] creating a top-up order',
    {
      path: () => '/wallet',
      as: me,
      call: ['POST', /\/create-razorpay-order$/],
      act: async (screen) => {
        await screen.press('Add Funds');
        await screen.fill('Amount in INR', '100');
        await screen.press('Continue to payment');
      },
      says: 'Failed to initiate payment. Please try again.',
    },
  ],
  [
    '[ERROR-043] reading the pricing',
    {
      path: () => '/pricing',
      as: me,
      call: ['GET', /\/documents\/pricing$/],
      says: 'Failed to fetch pricing configuration',
    },
  ],
  [
    '[ERROR-044] saving the pricing',
    {
      path: () => '/pricing',
      as: me,
      // The first rate is sent by POST.
      call: ['PUT POST', /\/documents\/pricing$/],
      act: async (screen) => {
        await screen.fill('Daily rate in INR', '2');
        await screen.press('Save');
      },
      says: 'Failed to save pricing',
    },
  ],
  [
    '[ERROR-041] loading the chats',
    {
      path: () => '/chat',
      as: me,
      call: ['GET', /\/messaging\/conversations$/],
      says: 'Failed to load chats',
    },
  ],
  [
    '[ERROR-039] loading a chat',
    {
      path: () => `/chat/${vikram.userId}`,
      as: me,
      call: ['GET', /\/messaging\/conversations\/[0-9a-f-]{36}$/],
      says: 'Failed to load chat',
    },
  ],
  [
    '[ERROR-040] sending a message',
    {
      path: () => `/chat/${vikram.userId}`,
      as: me,
      call: ['POST', /\/messaging\/send$/],
      act: async (screen) => {
        await screen.fill('Message to Vikram Nair', 'Hello');
        await screen.press('Send');
      },
      says: 'Failed to send message',
    },
  ],
];

it.each(calls)('%s: the default text of its failure', (_what, what) => failing(what));

it('[ERROR-012] [ERROR-050] refreshing the profile reports success or failure', async () => {
  let fails = false;
  await withScreen(
    world,
    {
      path: '/profile',
      as: asha,
      interfere: (request) =>
        fails && request.method() === 'GET' && request.url().endsWith('/users/profile')
          ? { status: 400, body: '{}', contentType: 'application/json' }
          : undefined,
    },
    async (screen) => {
      await screen.press('Refresh');
      await toastIs(screen.page, 'Profile refreshed successfully!');
      fails = true;
      await screen.press('Refresh');
      await toastIs(screen.page, 'Failed to refresh profile');
    },
  );
});

it('[ERROR-049] saving the profile reports success', async () => {
  await withScreen(world, { path: '/profile', as: asha }, async (screen) => {
    await screen.press('Edit');
    await screen.fill('City', 'Mysuru');
    await screen.press('Save Changes');
    await toastIs(screen.page, 'Profile updated successfully');
  });
});
