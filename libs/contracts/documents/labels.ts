/** A user's own labels on documents, which no other user sees. */
import { Type } from 'typebox';
import { defineRoute, IdParams } from '../kit.ts';

/** Labels of a user. */
export const LABELS_MAX = 20;
/** Labels of a user on one document. */
export const LABELS_OF_DOCUMENT_MAX = 5;
export const LABEL_LETTERS_MAX = 30;

const Label = Type.String({ pattern: '\\S', maxLength: LABEL_LETTERS_MAX });

/** The caller's labels by name, with the number of documents that have each. */
const Labels = Type.Object({
  labels: Type.Array(Type.Object({ name: Type.String(), documents: Type.Integer() })),
});

export const labelsRoutes = {
  labels: defineRoute({
    method: 'GET',
    path: '/documents/labels',
    access: 'user',
    summary: "The caller's own labels, with the number of documents that have each",
    response: { 200: Labels },
  }),
  renameLabel: defineRoute({
    method: 'PATCH',
    path: '/documents/labels',
    access: 'user',
    summary: "Rename one of the caller's labels; with the name of another one, both become one",
    body: Type.Object({ name: Label, new_name: Label }),
    response: { 200: Labels },
  }),
  deleteLabel: defineRoute({
    method: 'DELETE',
    path: '/documents/labels',
    access: 'user',
    summary: "Take one of the caller's labels off all documents",
    query: Type.Object({ name: Label }),
    response: { 200: Labels },
  }),
  setLabels: defineRoute({
    method: 'PUT',
    path: '/documents/:id/labels',
    access: 'user',
    summary: "Set the caller's own labels on a document; a new name makes a new label",
    params: IdParams,
    body: Type.Object({ labels: Type.Array(Label, { maxItems: LABELS_OF_DOCUMENT_MAX }) }),
    response: { 200: Type.Object({ labels: Type.Array(Type.String()) }) },
  }),
} as const;
