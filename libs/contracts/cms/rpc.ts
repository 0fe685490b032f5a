import { Type } from 'typebox';
import { defineRpc } from '../kit.ts';
import { LawText } from './law.ts';

const Translation = Type.Optional(LawText);

export const cmsRpc = {
  /** Returns the operator's words about the law, in every language that has them. */
  law: defineRpc({
    subject: 'rpc.cms.law.v1',
    request: Type.Object({}),
    response: Type.Object({
      law: Type.Object({
        en: LawText,
        hi: Translation,
        ta: Translation,
        bn: Translation,
        mr: Translation,
        te: Translation,
      }),
    }),
    timeoutMs: 2_000,
    callers: ['documents'],
  }),
} as const;
