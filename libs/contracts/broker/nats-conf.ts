import { BROKER_USERS, brokerRights, type BrokerUser } from './rights.ts';

const list = (subjects: readonly string[]): string =>
  `[\n${subjects.map((subject) => `        "${subject}"`).join('\n')}\n      ]`;

/** The permissions of one user. Everything else is denied. */
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
 * Returns `users: [...]`, for a file that is included in `authorization` or in an account.
 * @param passwordOf returns the password as it must be in the file: in quotes, or the name of a variable with
 * a quoted value
 */
export function natsUsers(passwordOf: (user: BrokerUser) => string): string {
  const users = BROKER_USERS.map(
    (user) =>
      `    {\n    user: ${user}\n    password: ${passwordOf(user)}\n    permissions: ${permissions(user)}\n    }`,
  );
  return `users: [\n${users.join('\n')}\n]\n`;
}

const variable = (user: BrokerUser): string => user.toUpperCase().replaceAll('-', '_');

/** Returns the name of the environment variable with a user's password. */
export const passwordVariable = (user: BrokerUser): string => `NATS_${variable(user)}_PASSWORD`;

/** Returns the permissions as variables (`RIGHTS_AUTH: {…}`), for a file with many accounts. */
export const natsRights = (): string =>
  BROKER_USERS.map((user) => `${rightsVariable(user)}: ${permissions(user)}\n`).join('');

/**
 * Returns the name of the variable with a user's permissions in the broker's configuration: `RIGHTS_AUTH`.
 */
export const rightsVariable = (user: BrokerUser): string => `RIGHTS_${variable(user)}`;
