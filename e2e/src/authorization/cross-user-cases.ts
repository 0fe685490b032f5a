/**
 * The cross-user cases by route: a call on another user's object, or the reason why the route has no such object. The
 * matrix fails if a user route with a path parameter, a query, a body or a form is missing.
 */
import type { Part } from '../person.ts';
import type { Stage } from './stage.ts';

export type Attempt = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string | Part>;
  /** Default: 403, or 404 where the existence of the object is private. */
  expect?: readonly number[];
  /** Returns true if an answer that is not a refusal reveals nothing private. */
  check?: (text: string) => boolean;
};

const OWN = 'acts on the own account only';
const NEW_PASSKEY = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} },
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
};
const ASSERTION = {
  ...NEW_PASSKEY,
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};
const COMMON = 'the same for all users';

export const crossUserCases = (s: Stage): Record<string, Attempt | string> => {
  const document = { id: s.documentId };
  const invitation = { id: s.documentId, invitationId: s.invitationId };
  const draft = { id: s.draftId };
  const withGuest = { id: s.documentId, userId: s.guest.userId };
  const hides = (text: string) => !text.includes(s.owner.phone.slice(1)) && text.includes('•');
  return {
    'auth.endSession': { params: { id: s.sessionId } },
    'auth.endAllSessions': OWN,
    'auth.updateProfile': OWN,
    'auth.sendPhoneCode': OWN,
    'auth.beginStepUp': OWN,
    'auth.finishStepUp': { body: { act: { action: 'delete_account' }, otp: 'AAAAAA' }, expect: [400] },
    'auth.changePhone': { body: { phone_no: s.owner.phone, otp: 'AAAAAA' } },
    'auth.movePhone': { body: { phone_no: s.owner.phone, otp: 'AAAAAA' }, expect: [400] },
    'auth.cancelPhoneMove': OWN,
    'auth.proveEmail': { body: { otp: 'AAAAAA' }, expect: [400] },
    'auth.deleteAccount': { body: { confirm_char_id: s.owner.charId }, expect: [400] },
    'auth.listUsers': { query: { search: s.owner.phone }, expect: [200], check: hides },
    'auth.getUser': { params: { id: s.owner.userId }, expect: [200], check: hides },

    'documents.create': OWN,
    'documents.updateDraft': { params: draft, form: { name: 'Taken over' } },
    'documents.submitDraft': { params: draft, form: s.images },
    'documents.deleteDraft': { params: draft },
    'documents.upload': OWN,
    'documents.fileText': { params: { id: s.documentId, fileId: s.fileId } },
    'documents.getUpload': { params: { id: s.uploadId } },
    'documents.deleteUpload': { params: { id: s.uploadId } },
    'documents.lookUpCode': 'the document code is the permission to ask',
    'documents.join': 'the document code is the permission to ask',
    'documents.myDocuments': OWN,
    'documents.documentsPage': OWN,
    'documents.documentCounts': OWN,
    'documents.initiateAgreement': {
      body: { document_id: s.documentId, target_user_char_id: s.stranger.charId },
    },
    'documents.createPricing': COMMON,
    'documents.updatePricing': COMMON,
    'documents.pricingHistory': COMMON,
    'documents.changeTextMessageSettings': OWN,
    'documents.openCapture': { body: { step: 'eye', document_id: s.documentId } },
    'documents.bindCapture': { body: { nonce: s.captureNonce, sha256: 'a'.repeat(64) }, expect: [409] },
    'documents.beginSigningKey': OWN,
    'documents.addSigningKey': {
      body: { ceremony_id: s.signingCeremonyId, added: NEW_PASSKEY, name: 'Mine' },
      expect: [422],
    },
    'documents.removeSigningKey': { params: { id: s.signingKeyId } },
    'documents.beginStepUp': OWN,
    'documents.finishStepUp': { body: { statement_id: s.documentId, used: ASSERTION }, expect: [422] },
    'documents.signingStatement': { params: document, body: { key_id: s.signingKeyId } },
    'documents.remind': { params: withGuest },
    'documents.chooseReminders': { params: document, body: { reminders: 'off' } },
    'documents.askToAnswerBy': { params: withGuest, body: { answer_by: null } },
    'documents.get': {
      params: document,
      expect: [200],
      check: (text) => !text.includes('document_code') && !text.includes('/files/'),
    },
    'documents.events': { params: document },
    'documents.historyPdf': { params: document },
    'documents.respondAgreement': { params: document, form: { response: 'reject' } },
    'documents.selfVerifyApprove': { params: document, form: s.images },
    // For the caller: the route refuses approvals for other parties.
    'documents.approve': { params: { id: s.documentId, userId: s.stranger.userId }, expect: [403] },
    'documents.withdraw': { params: document, body: { reason: 'Not mine' } },
    'documents.chooseCancelLate': { params: document, body: { cancel_late: true } },
    'documents.cancel': { params: document, body: { reason: 'Not mine' } },
    'documents.addUser': { params: document, body: { target_user_char_id: s.stranger.charId } },
    'documents.approveUser': { params: withGuest },
    'documents.removeUser': { params: withGuest },
    'documents.finalize': { params: document, form: {} },
    'documents.finalPdf': { params: document },
    'documents.logProof': { params: document },
    'documents.proofFile': { params: document },
    'documents.receipt': { params: document },
    'documents.inviteContact': { params: document, body: { contact: '9000000009' } },
    'documents.resendInvitation': { params: invitation },
    'documents.linkInvitation': { params: invitation },
    'documents.askInvitedToAnswerBy': { params: invitation, body: { answer_by: null } },
    'documents.withdrawInvitation': { params: invitation },
    'documents.keepInvited': { params: invitation },
    // The link is for another phone number.
    'documents.acceptInvitation': { body: { token: s.invitationToken } },
    'documents.archive': { params: document },
    'documents.restore': { params: document },
    'documents.labels': OWN,
    'documents.renameLabel': { body: { name: 'Rent', new_name: 'Mine' }, expect: [404] },
    'documents.deleteLabel': { query: { name: 'Rent' }, expect: [404] },
    'documents.setLabels': { params: document, body: { labels: ['Mine'] } },
    'documents.sealedZip': { body: { document_ids: [s.documentId] } },
    'documents.courtPack': { params: document, body: { reason: 'A dispute about the rent' } },

    'payments.create': { body: { document_id: s.documentId } },
    'payments.confirm': { params: { id: s.paymentId } },
    'payments.receipt': { params: { id: s.paymentId } },
    'payments.documentPayments': { params: document },
    'payments.calculate': { params: document },
    'payments.setupDistribution': {
      params: document,
      body: {
        document_id: s.documentId,
        payment_distributions: [{ user_id: s.stranger.userId, percentage: 100 }],
        total_amount: 1,
        duration_days: 1,
      },
    },
    'payments.paymentStatus': { params: document },
    'payments.pay': { params: document, body: {} },
    'payments.myPayments': OWN,

    'wallet.transactions': OWN,
    'wallet.statement': OWN,
    'wallet.createOrder': OWN,
    'wallet.orderStatus': { params: { id: s.orderId } },
    'wallet.verifyPayment': {
      body: {
        razorpay_order_id: s.orderId,
        razorpay_payment_id: 'pay_x',
        razorpay_signature: 'a'.repeat(64),
      },
      expect: [400, 403, 404],
    },
    'wallet.giveUpRest': OWN,
    'wallet.addFunds': { body: { amount: 5, payment_receipt: 'pay_x' }, expect: [400, 402, 403, 404] },

    'messaging.send': OWN,
    'messaging.conversation': {
      params: { id: s.owner.userId },
      expect: [200],
      check: (text) => !text.includes(s.message),
    },
    'messaging.conversations': OWN,
    'messaging.markRead': { params: { id: s.owner.userId }, body: { up_to_seq: 1 }, expect: [200] },
    'messaging.person': { params: { id: s.owner.userId }, expect: [200], check: hides },
    // Blocking affects the caller's side only.
    'messaging.block': { params: { userId: s.owner.userId }, expect: [200] },
    'messaging.unblock': { params: { userId: s.owner.userId }, expect: [200] },
    'messaging.report': 'any user may report any user',
    'notifications.listNotifications': OWN,
    // Only a position in the caller's own list.
    'notifications.readNotifications': { body: { up_to: s.notificationId }, expect: [200] },
    'notifications.readNotification': { params: { id: s.notificationId } },
    'notifications.changeNotificationSettings': OWN,
    'notifications.deliveries': {
      params: { documentId: s.documentId },
      expect: [200],
      check: (text) => text === '[]',
    },
    'vision.validate': OWN,
    'cms.getPage': COMMON,
    'cms.listPages': COMMON,
  };
};
