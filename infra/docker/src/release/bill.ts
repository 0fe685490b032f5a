/** The third-party packages of a release, from the CycloneDX document of `npm sbom`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Property = { name: string; value: string };
export type Component = {
  'bom-ref': string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  properties?: Property[];
};
export type Sbom = { components: Component[] };

/** An image complies with these licences by containing their texts. */
const PERMISSIVE =
  /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|OFL-1\.1|Unlicense|Zlib|Python-2\.0)$/;
const TEXT = /^(licen[cs]e|copying|notice)/i;

const isSo = ({ properties = [] }: Component, name: string): boolean =>
  properties.some((one) => one.name === `cdx:npm:package:${name}` && one.value === 'true');

/** Returns the packages of others that the product needs at run time. */
const thirdParties = ({ components }: Sbom): Component[] =>
  components.filter((component) => !isSo(component, 'private') && !isSo(component, 'development'));

const licenceOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ');

/** Returns true if every licence of an expression, or one alternative of each choice, is permissive. */
function isPermissive(expression: string): boolean {
  const all = expression.replaceAll(/[()]/g, '').split(' AND ');
  return all.every((each) => each.split(' OR ').some((one) => PERMISSIVE.test(one.trim())));
}

/** Returns a line for each package whose licence is unknown or not permissive. */
export function licenceFaults(sbom: Sbom): string[] {
  return thirdParties(sbom)
    .filter((component) => !isPermissive(licenceOf(component)))
    .map((component) => `${component['bom-ref']}: ${licenceOf(component) || 'no licence'}`);
}

/** Returns each package with its licence and licence texts. @param root folder with node_modules */
export function licencesText(sbom: Sbom, root: string): string {
  const sorted = thirdParties(sbom).toSorted((a, b) => a['bom-ref'].localeCompare(b['bom-ref']));
  return sorted
    .map((component) => {
      const reference = component['bom-ref'];
      const folder = join(root, 'node_modules', reference.slice(0, reference.lastIndexOf('@')));
      const files = existsSync(folder) ? readdirSync(folder).filter((name) => TEXT.test(name)) : [];
      const texts = files.map((name) => readFileSync(join(folder, name), 'utf8').trim());
      return [`${reference} (${licenceOf(component)})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
