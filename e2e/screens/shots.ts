/** What is pictured: every route of the product, and the states of it that matter. */
import { randomInt } from 'node:crypto';
import type { Page } from 'puppeteer-core';
import type { World } from './world.ts';

/** What a state is brought about with. */
export type Hand = {
  page: Page;
  /** Presses the button, link or tab that carries a text of a catalog. */
  press: (catalog: string, key: string) => Promise<void>;
  /** Types into the nth field of the form. */
  type: (at: number, text: string) => Promise<void>;
};

export type Visitor = 'guest' | 'asha' | 'vikram' | 'ravi' | 'admin';

export type Shot = {
  /** The route, as the route table writes it. */
  route: string;
  state?: string;
  as: Visitor;
  /** The path, with ids from the seeded data. The route itself when absent. */
  path?: (world: World) => string;
  prepare?: (hand: Hand) => Promise<void>;
  /** Calls of the API (as `GET /documents/my-documents`) that fail in this state. */
  failing?: string;
  /** A dialog: the window is pictured as it is, not the page's whole height. */
  dialog?: boolean;
  /** Only at these widths. */
  widths?: readonly number[];
};

const feature = (name: string) => `user-mfe/features/${name}`;
/** The catalog of words that several features share. */
const shared = (name: string) => `user-mfe/shared/catalogs/${name}`;

const page = (route: string, as: Visitor, more: Partial<Shot> = {}): Shot => ({ route, as, ...more });

const dialog = (route: string, as: Visitor, state: string, more: Partial<Shot>): Shot => ({
  route,
  as,
  state,
  dialog: true,
  ...more,
});

const detail = (state: keyof World['documents'], more: Partial<Shot> = {}): Shot => ({
  route: '/document/:id',
  state,
  as: 'asha',
  path: ({ documents }) => `/document/${documents[state]}`,
  ...more,
});

const thread = (more: Partial<Shot> = {}): Shot => ({
  route: '/chat/:userId',
  as: 'asha',
  path: ({ vikram }) => `/chat/${vikram.userId}`,
  // It scrolls inside: the window is what one sees.
  dialog: true,
  ...more,
});

const statics = ['/about', '/contact', '/terms', '/privacy'];
const admin = [
  '/admin/overview',
  '/admin/users',
  '/admin/documents',
  '/admin/reports',
  '/admin/payments',
  '/admin/exceptions',
  '/admin/failed-events',
  '/admin/pricing',
  '/admin/audit',
  '/admin/security',
  '/admin/cms',
];
const cms = ['about', 'contact', 'terms', 'privacy'].map((slug) => `/admin/cms/${slug}`);

/** All pictures. A route without one fails the test beside this file. */
export const shots: readonly Shot[] = [
  page('/login', 'guest'),
  page('/login', 'guest', {
    state: 'code-sent',
    prepare: async ({ type, press }) => {
      // A phone may ask for a code every 30 seconds only, and each language asks.
      await type(0, `6${String(randomInt(1e9)).padStart(9, '0')}`);
      await press(feature('auth'), 'sendOtp');
    },
  }),
  page('/register', 'guest'),
  page('/camera', 'guest'),
  page('/welcome', 'guest'),
  page('/welcome', 'asha', { state: 'signed-in' }),
  page('/welcome/help', 'guest'),
  ...statics.map((path) => page(`/welcome${path}`, 'guest')),
  page('/invitation', 'guest', { path: ({ invitationPath }) => invitationPath }),
  // Without the token of a message.
  page('/invitation/stop', 'guest', { state: 'incomplete' }),
  page('/verify', 'guest'),
  page('/verify/:code', 'guest', { path: ({ sealedCode }) => `/verify/${sealedCode}` }),

  page('/dashboard', 'asha'),
  page('/dashboard', 'ravi', { state: 'empty' }),
  page('/dashboard', 'asha', { state: 'error', failing: 'GET /documents/my-documents' }),
  page('/dashboard', 'asha', {
    state: 'offline',
    prepare: async ({ page: open }) => open.setOfflineMode(true),
  }),
  dialog('/dashboard', 'asha', 'pending-agreements', {
    prepare: ({ press }) => press(shared('dashboard'), 'pending'),
  }),
  dialog('/dashboard', 'asha', 'read-before-accepting', {
    prepare: async ({ page: open, press }) => {
      await press(shared('dashboard'), 'pending');
      // In Hindi the word for rejecting ends in that for accepting.
      const accept = '[role=dialog] li > :last-child > button:last-of-type';
      await (await open.waitForSelector(accept, { visible: true }))?.click();
      await open.waitForSelector('[data-reading] canvas');
    },
  }),
  dialog('/dashboard', 'asha', 'menu', {
    widths: [390],
    prepare: async ({ page: open }) => {
      await open.click('header button[aria-expanded]');
      await open.waitForSelector('[role=dialog] nav', { visible: true });
    },
  }),

  page('/document/create', 'asha'),
  ...(['people', 'terms', 'sign'] as const).map((step) =>
    page('/document/create', 'asha', { state: step, path: () => `/document/create?step=${step}` }),
  ),
  page('/document/join', 'asha'),
  dialog('/document/join', 'ravi', 'capture', {
    path: ({ openCode }) => `/join-document?code=${openCode}`,
    prepare: async ({ page: open, press }) => {
      await press(feature('join'), 'submit');
      await press(feature('verification'), 'captureNow');
      await open.waitForSelector('[role=dialog] input[name=device-photo]');
    },
  }),

  detail('pending'),
  detail('approved'),
  detail('finalized'),
  detail('rejected'),
  detail('invitation'),
  detail('admitted', { prepare: async ({ page: open }) => void (await open.waitForSelector('canvas')) }),
  detail('admitted', {
    state: 'reject',
    dialog: true,
    prepare: async ({ page: open, press }) => {
      await press(shared('detail'), 'rejectAgreement');
      await open.waitForSelector('[role=dialog] textarea', { visible: true });
    },
  }),
  detail('approved', {
    state: 'withdraw',
    as: 'vikram',
    dialog: true,
    prepare: async ({ page: open, press }) => {
      await press(shared('detail'), 'withdraw');
      await open.waitForSelector('[role=dialog] textarea', { visible: true });
    },
  }),
  detail('approved', {
    state: 'verify-again',
    as: 'vikram',
    dialog: true,
    prepare: ({ press }) => press(shared('detail'), 'verifyAgain'),
  }),
  detail('admitted', {
    state: 'manage-admitted',
    as: 'vikram',
    dialog: true,
    prepare: ({ press }) => press(shared('detail'), 'manageUsers'),
  }),
  detail('pending', {
    state: 'stranger',
    as: 'ravi',
    path: ({ documents }) => `/document/${documents.pending}`,
  }),
  detail('pending', { state: 'error', failing: 'GET /documents/' }),
  detail('pending', {
    state: 'manage',
    dialog: true,
    prepare: ({ press }) => press(shared('detail'), 'manageUsers'),
  }),
  detail('pending', {
    state: 'verify',
    dialog: true,
    as: 'vikram',
    prepare: ({ press }) => press(shared('detail'), 'verifyApprove'),
  }),
  page('/document/:id/payment', 'asha', {
    path: ({ documents }) => `/document/${documents.approved}/payment`,
  }),
  page('/document/:id/payment', 'asha', {
    state: 'paid',
    path: ({ documents }) => `/document/${documents.finalized}/payment`,
  }),

  page('/profile', 'asha'),
  page('/profile', 'asha', { state: 'edit', prepare: ({ press }) => press(shared('profile'), 'edit') }),
  page('/wallet', 'asha'),
  page('/wallet', 'ravi', { state: 'empty' }),
  dialog('/wallet', 'asha', 'add-funds', { prepare: ({ press }) => press(feature('wallet'), 'addFunds') }),
  page('/chat', 'asha'),
  page('/chat', 'ravi', { state: 'empty' }),
  page('/chat', 'asha', { state: 'error', failing: 'GET /messaging/conversations' }),
  dialog('/chat', 'asha', 'new', { prepare: ({ press }) => press(feature('chat'), 'startNew') }),
  thread(),
  thread({ state: 'first-word', as: 'ravi' }),
  thread({ state: 'unknown', path: () => '/chat/00000000-0000-7000-8000-000000000000' }),
  thread({ state: 'error', failing: 'GET /messaging/conversations/' }),
  page('/pricing', 'asha'),
  page('/notifications', 'asha'),
  page('/notifications/settings', 'asha'),
  ...statics.map((route) => page(route, 'asha')),

  page('/admin/login', 'guest'),
  ...[...admin, ...cms].map((route) => page(route, 'admin')),
  page('/admin/documents/:id', 'admin', {
    path: ({ documents }) => `/admin/documents/${documents.approved}`,
  }),
  dialog('/admin/reports', 'admin', 'close', {
    prepare: async ({ page: open, press }) => {
      await press('admin-mfe/features/reports', 'close');
      await open.waitForSelector('[role=dialog] textarea', { visible: true });
    },
  }),
  page('/admin/reports', 'admin', { state: 'error', failing: 'GET /admin/reports' }),
];

/** `document-id-payment-paid`: the beginning of a picture's name. */
export function shotName({ route, state }: Shot): string {
  const words = route
    .split('/')
    .flatMap((part) => (part === '' ? [] : [part.replace(/^:/, '').toLowerCase()]));
  return [...words, ...(state ? [state] : [])].join('-');
}
