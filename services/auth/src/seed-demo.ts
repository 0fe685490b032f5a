/** Demo accounts for development (design §2.9), never for production. A second run changes nothing. */
import { authEvents } from '@karaar/contracts/auth/events';
import { inTransaction, isUniqueViolation, randomCode8, uuidv7 } from '@karaar/db';
import sharp from 'sharp';
import type { Context } from './context.ts';
import { findByPhone, insertUser, markEmailProved } from './features/accounts/accounts.repository.ts';
import { takeBackImage } from './features/accounts/accounts.service.ts';
import { insertAdmin } from './features/admins/admins.repository.ts';
import { hashPassword } from './features/admins/sign-in/password.ts';

const USERS = [
  {
    name: 'Asha Rao',
    phone: '+919000000001',
    email: 'asha.rao@example.org',
    city: 'Bengaluru',
    state: 'Karnataka',
  },
  {
    name: 'Vikram Shah',
    phone: '+919000000002',
    email: 'vikram.shah@example.org',
    city: 'Mumbai',
    state: 'Maharashtra',
  },
];

export async function seedDemo(ctx: Context): Promise<void> {
  for (const demo of USERS) {
    if (await findByPhone(ctx.db, demo.phone)) continue;
    const id = uuidv7();
    const image = await ctx.blobs.put(id, await idCard(demo.name), { mime: 'image/jpeg' });
    await inTransaction(ctx.db, async (tx) => {
      await insertUser(tx, {
        id,
        char_id: randomCode8(),
        name: demo.name,
        email: demo.email,
        phone_no: demo.phone,
        city: demo.city,
        state: demo.state,
        govt_id_type: 'Other',
        govt_id_number: ctx.secrets.seal('DEMO-0001', id),
        govt_id_image: image.path,
      });
      const user = await markEmailProved(tx, id, demo.email);
      if (!user) throw new Error('The user is gone in the transaction that inserted it.');
      await ctx.outbox.add(tx, authEvents.userRegistered, {
        aggregateId: id,
        aggregateVersion: user.version,
        data: { user_id: id },
      });
    }).catch(async (error: unknown) => {
      await takeBackImage(ctx, error, image.path, id);
      // Another process that started at the same moment was quicker.
      if (!isUniqueViolation(error)) throw error;
    });
  }
  await insertAdmin(ctx.db, {
    id: uuidv7(),
    username: 'admin',
    password_hash: await hashPassword('karaar-admin'),
    role: 'super-admin',
  });
}

const idCard = (name: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#faf8f4"/>` +
        `<text x="40" y="90" font-size="34" fill="#1f3a8a">Demo identity card</text>` +
        `<text x="40" y="160" font-size="28" fill="#1b1a17">${name}</text></svg>`,
    ),
  )
    .jpeg()
    .toBuffer();
