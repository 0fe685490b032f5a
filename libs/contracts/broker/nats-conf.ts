/** The broker's users as nats-server reads them. */
import { BROKER_USERS, brokerRights, type BrokerUser } from './rights.ts';

const list = (subjects: readonly string[]): string =>
  `[\n${subjects.map((subject) => `        "${subject}"`).join('\n')}\n      ]`;

/** The permissions of one user. What is not named is refused. */
function permissions(user: BrokerUser): string {
  const { publish, subscribe, responds } = brokerRights(user);
  return [
    '{',
    `      publish: ${publish.length > 0 ? list(publish) : '{ deny: ">" }'}`,
    `      subscribe: ${list(subscribe)}`,
    ...(responds ? ['      allow_responses: true'] : []),
    '    }',
  ].join('\n');
}

/**
 * `users: [...]`, for a file that is included in `authorization` or in an account.
 * @param passwordOf the password as it is in the file: in quotes, or the name of a variable that is in quotes
 */
export function natsUsers(passwordOf: (user: BrokerUser) => string): string {
  const users = BROKER_USERS.map(
    (user) =>
      `    {\n    user: ${user}\n    password: ${passwordOf(user)}\n    permissions: ${permissions(user)}\n    }`,
  );
  return `users: [\n${users.join('\n')}\n]\n`;
}

const variable = (user: BrokerUser): string => user.toUpperCase().replaceAll('-', '_');

/** The variable in which the broker finds a user's password. */
export const passwordVariable = (user: BrokerUser): string => `NATS_${variable(user)}_PASSWORD`;

/** Permissions as variables (`RIGHTS_AUTH: {…}`), for a file with many accounts. */
export const natsRights = (): string =>
  BROKER_USERS.map((user) => `${rightsVariable(user)}: ${permissions(user)}\n`).join('');

export const rightsVariable = (user: BrokerUser): string => `RIGHTS_${variable(user)}`;
