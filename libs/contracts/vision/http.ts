/** The vision service's HTTP contract (spec §7 validate capture). */
import { Type, type Static } from 'typebox';
import { defineRoute } from '../kit.ts';
import { CAPTURE_MAX_BYTES } from '../limits.ts';

export const DetectType = Type.Union([Type.Literal('faces'), Type.Literal('eyes')]);
export type DetectType = Static<typeof DetectType>;

export const VisionReason = Type.Union(
  [
    'no_face',
    'multiple_faces',
    'no_eye',
    'eyes_closed',
    'too_dark',
    'too_bright',
    'blurred',
    'too_small',
    'not_an_image',
  ].map((reason) => Type.Literal(reason)),
);

/** Fractions of the upright image's width and height. */
export const Box = Type.Object({
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
  score: Type.Number(),
  /** A face's eyes, nose, mouth and ears, or the lid line of an eye, in the same fractions. */
  landmarks: Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() })),
});

export const ValidationAnswer = Type.Object({
  ok: Type.Boolean(),
  reason: Type.Optional(Type.String()),
  boxes: Type.Array(Box),
});
export type ValidationAnswer = Static<typeof ValidationAnswer>;

/**
 * The response for the documents service: also describes the eyes on an accepted photo, which no service
 * stores.
 */
export const CheckAnswer = Type.Object({
  ...ValidationAnswer.properties,
  /** By @karaar/faces/eye-likeness. */
  eyes: Type.Optional(Type.Array(Type.Array(Type.Integer()))),
});
export type CheckAnswer = Static<typeof CheckAnswer>;

export const visionRoutes = {
  validate: defineRoute({
    method: 'POST',
    path: '/documents/verification/validate',
    access: 'user',
    summary: 'Does this photo show a face, or an open eye?',
    multipart: {
      fields: Type.Object({ detect_type: DetectType }),
      files: { image: { required: true, maxBytes: CAPTURE_MAX_BYTES, accept: ['image'] } },
    },
    response: { 200: ValidationAnswer },
    timeoutMs: 30_000,
  }),
} as const;
