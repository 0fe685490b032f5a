/** The configuration schema of every process, for checks of a deployment's variables. */
import { Config as Auth } from '@karaar/service-auth/config';
import { Config as Cms } from '@karaar/service-cms/config';
import { Config as Converter } from '@karaar/service-converter/config';
import { Config as Documents } from '@karaar/service-documents/config';
import { Config as Gateway } from '@karaar/gateway/config';
import { Config as BrokerAdmin } from '@karaar/service-broker-admin/config';
import { Config as Messaging } from '@karaar/service-messaging/config';
import { Config as Notifications } from '@karaar/service-notifications/config';
import { Config as Payments } from '@karaar/service-payments/config';
import { Config as Vision } from '@karaar/service-vision/config';
import { Config as Wallet } from '@karaar/service-wallet/config';
import { Config as Witness } from '@karaar/service-witness/config';

export const environments = {
  auth: Auth,
  cms: Cms,
  converter: Converter,
  documents: Documents,
  gateway: Gateway,
  'broker-admin': BrokerAdmin,
  messaging: Messaging,
  notifications: Notifications,
  payments: Payments,
  vision: Vision,
  wallet: Wallet,
  witness: Witness,
} as const;
