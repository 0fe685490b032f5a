import {
  NOTIFICATION_CHANNELS,
  type Chosen,
  type NotificationChannel,
} from '@karaar/contracts/notifications/kinds';
import { hasWhatsapp, type Config } from '../../config.ts';

type Operator = Pick<Config, 'WHATSAPP_PHONE_NUMBER_ID'>;

/** Returns the channels that this installation has. */
export const channelsIn = (operator: Operator): NotificationChannel[] =>
  NOTIFICATION_CHANNELS.filter((channel) => channel !== 'whatsapp' || hasWhatsapp(operator));

/** Returns a user's choices without those for a channel that this installation no longer has. */
export const chosenIn = (operator: Operator, { whatsapp, ...chosen }: Chosen): Chosen =>
  hasWhatsapp(operator) && whatsapp !== undefined ? { ...chosen, whatsapp } : chosen;
