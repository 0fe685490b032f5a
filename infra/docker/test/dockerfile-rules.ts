import { DockerfileParser, type Dockerfile, type Instruction } from 'dockerfile-ast';
import { validate, ValidationSeverity } from 'dockerfile-utils';

const SECRET_NAME = /(SECRET|PASSWORD|TOKEN|PRIVATE|_KEY|KEK)/i;

/** Checks a Dockerfile by dockerfile-utils and by our rules. Returns one line per fault. */
export function lintDockerfile(text: string): string[] {
  const file = DockerfileParser.parse(text);
  const language = validate(text, { instructionWorkdirRelative: ValidationSeverity.ERROR }).map(
    ({ message, range }) => `line ${range.start.line + 1}: ${message}`,
  );
  return [...language, ...stages(file).flatMap((stage) => stageFaults(stage, file))];
}

type Stage = { name: string; image: string; instructions: Instruction[]; isShipped: boolean };

/** A stage is shipped if no other stage uses it. */
function stages(file: Dockerfile): Stage[] {
  const froms = file.getFROMs();
  const presets = new Map(file.getInitialARGs().map((arg) => [argName(arg), argValue(arg)]));
  const all = file.getInstructions();
  const used = new Set([
    ...froms.map((from) => from.getImage() ?? ''),
    ...file.getCOPYs().flatMap((copy) => copy.getFlags().map((flag) => flag.getValue() ?? '')),
  ]);
  return froms.map((from, index) => {
    const start = from.getRange().start.line;
    const end = froms[index + 1]?.getRange().start.line ?? Number.POSITIVE_INFINITY;
    const name = from.getBuildStage() ?? '';
    return {
      name: name || `stage ${index + 1}`,
      image: (from.getImage() ?? '').replace(
        /^\$\{?(\w+)\}?$/,
        (_all, arg: string) => presets.get(arg) ?? '',
      ),
      instructions: all.filter((one) => {
        const { line } = one.getRange().start;
        return line > start && line < end;
      }),
      isShipped: !used.has(name),
    };
  });
}

const argName = (arg: Instruction): string => (arg.getArgumentsContent() ?? '').split('=')[0] ?? '';
const argValue = (arg: Instruction): string =>
  (arg.getArgumentsContent() ?? '').split('=').slice(1).join('=');

function stageFaults(stage: Stage, file: Dockerfile): string[] {
  const faults: string[] = [];
  const say = (fault: string) => faults.push(`${stage.name}: ${fault}`);
  const names = new Set(file.getFROMs().map((from) => from.getBuildStage()));
  const tag = /:([^:/@]+)$/.exec(stage.image)?.[1];
  if (!names.has(stage.image) && (tag === undefined || !/\d+\.\d+/.test(tag)))
    say(`its base ${stage.image} is not pinned to a version`);
  let user: string | undefined;
  for (const instruction of stage.instructions) {
    const keyword = instruction.getKeyword();
    const content = instruction.getArgumentsContent() ?? '';
    if (keyword === 'ADD') say('ADD downloads and unpacks; use COPY');
    if (keyword === 'USER') user = content;
    if ((keyword === 'ENV' || keyword === 'ARG') && SECRET_NAME.test(content.split('=')[0] ?? ''))
      say(`${keyword} ${content.split('=')[0]} looks like a secret; it would stay in the image`);
    if ((keyword === 'ENTRYPOINT' || keyword === 'CMD') && !content.startsWith('['))
      say(`${keyword} runs a shell, which swallows signals; use the list form`);
    if (keyword === 'RUN') faults.push(...runFaults(stage.name, content));
  }
  if (stage.isShipped && (user === undefined || !/^[1-9]\d*(:\d+)?$/.test(user)))
    say('is shipped and does not end with a USER by number that is not root');
  return faults;
}

function runFaults(stage: string, command: string): string[] {
  const faults: string[] = [];
  if (/apt-get\s+install/.test(command)) {
    if (!command.includes('--no-install-recommends'))
      faults.push('apt-get install without --no-install-recommends');
    if (!command.includes('rm -rf /var/lib/apt/lists')) faults.push('apt-get leaves its lists in the layer');
    if (!/apt-get\s+update/.test(command)) faults.push('apt-get install in another layer than its update');
  }
  if (/\bsudo\b/.test(command)) faults.push('sudo in an image');
  if (/(curl|wget)[^|&;]*\|\s*(ba)?sh/.test(command)) faults.push('runs a downloaded script');
  return faults.map((fault) => `${stage}: ${fault}`);
}
