import { walletQuestions } from '@karaar/contracts/wallet/inner';
import type { HttpApp } from '@karaar/platform/http-kit';
import { answerQuestion } from '@karaar/platform/questions';
import type { Context } from '../../context.ts';
import { cancelDebit, debitWallet, giveBack } from './ledger.service.ts';

export function debitsRoutes(inner: HttpApp, ctx: Context): void {
  answerQuestion(inner, walletQuestions.debit, (request) => debitWallet(ctx, request));
  answerQuestion(inner, walletQuestions.cancelDebit, (request) => cancelDebit(ctx, request));
  answerQuestion(inner, walletQuestions.reverseDebit, (request) => giveBack(ctx, request));
}
