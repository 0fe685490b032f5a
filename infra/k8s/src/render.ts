import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kustomizeCommand } from '@karaar/testing/machine/programs';
import { cloneRoot } from '@karaar/testing/roots';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from './objects.ts';

export const overlays = ['local', 'staging', 'production'] as const;

export const k8sFolder = join(cloneRoot, 'infra', 'k8s');

/** Renders an overlay by kustomize. @throws Error with kustomize's message, or if it is not installed */
export async function render(folder: string): Promise<KubeObject[]> {
  const [program, ...args] = kustomizeCommand(process.env['PATH'] ?? '');
  const { stdout } = await promisify(execFile)(program, [...args, folder], { maxBuffer: 64 * 1024 * 1024 });
  return parseAllDocuments(stdout).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as KubeObject;
  });
}
