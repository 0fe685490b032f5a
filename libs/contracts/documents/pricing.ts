/** The pricing part of the documents contract: the daily rate (spec §7 Pricing, Admin). */
import { Type } from 'typebox';
import { defineRoute, IsoDateTime, Rupees, SUPER_ADMINS } from '../kit.ts';

export const Pricing = Type.Object({
  daily_rate: Rupees,
  is_active: Type.Boolean(),
  created_by_name: Type.String(),
  updated_by_name: Type.String(),
  created_at: IsoDateTime,
  updated_at: IsoDateTime,
  user_editing: Type.Boolean({ description: 'Whether users may change the rate, or admins alone' }),
});

export const PricingChange = Type.Object({
  daily_rate: Rupees,
  author_name: Type.String(),
  at: IsoDateTime,
});

const DailyRate = Type.Object({ daily_rate: Type.Number({ minimum: 0.01, maximum: 1_000_000 }) });

const UserEditing = Type.Object({ enabled: Type.Boolean() });

export const pricingRoutes = {
  getPricing: defineRoute({
    method: 'GET',
    path: '/documents/pricing',
    access: 'user',
    summary: 'The daily rate; 404 until one is set',
    response: { 200: Pricing },
  }),
  createPricing: defineRoute({
    method: 'POST',
    path: '/documents/pricing',
    access: 'user',
    summary: 'Set the daily rate for documents created from now on',
    body: DailyRate,
    response: { 201: Pricing },
  }),
  updatePricing: defineRoute({
    method: 'PUT',
    path: '/documents/pricing',
    access: 'user',
    summary: 'Change the daily rate for documents created from now on',
    body: DailyRate,
    response: { 200: Pricing },
  }),
  pricingHistory: defineRoute({
    method: 'GET',
    path: '/documents/pricing/history',
    access: 'user',
    summary: 'The last 100 changes of the daily rate, newest first: who set it, when, to what',
    response: { 200: Type.Array(PricingChange) },
  }),
  adminGetPricing: defineRoute({
    method: 'GET',
    path: '/admin/pricing',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'The daily rate; 404 until one is set',
    response: { 200: Pricing },
  }),
  adminCreatePricing: defineRoute({
    method: 'POST',
    path: '/admin/pricing',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Set the daily rate for documents created from now on',
    body: DailyRate,
    response: { 201: Pricing },
  }),
  adminUpdatePricing: defineRoute({
    method: 'PUT',
    path: '/admin/pricing',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Change the daily rate for documents created from now on',
    body: DailyRate,
    response: { 200: Pricing },
  }),
  adminPricingHistory: defineRoute({
    method: 'GET',
    path: '/admin/pricing/history',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'The last 100 changes of the daily rate, newest first',
    response: { 200: Type.Array(PricingChange) },
  }),
  adminGetUserEditing: defineRoute({
    method: 'GET',
    path: '/admin/pricing/user-editing',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Whether users may change the daily rate',
    response: { 200: UserEditing },
  }),
  adminSetUserEditing: defineRoute({
    method: 'PUT',
    path: '/admin/pricing/user-editing',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Let users change the daily rate, or admins alone',
    body: UserEditing,
    response: { 200: UserEditing },
  }),
} as const;
