import { describe, expect, it } from '@jest/globals';
import { CliError } from '../errors/cli-error.js';
import { pickNamed, type Naming } from './pick-named.js';

interface Cluster {
  readonly id: string;
  readonly name: string;
}

const naming: Naming<Cluster> = {
  what: 'cluster',
  code: 'cluster_not_found',
  list: 'ferry clusters',
  ids: ({ id }) => [id],
  names: ({ name }) => [name],
};
const clusters: readonly Cluster[] = [
  { id: 'cl_1', name: 'home' },
  { id: 'cl_2', name: 'Home office' },
  { id: 'cl_3', name: 'lab' },
  { id: 'cl_4', name: 'twin' },
  { id: 'cl_5', name: 'twin' },
];

const picked = (given: string, whole = false): string => pickNamed(clusters, given, naming, { whole }).id;

function failure(given: string, whole = false): { message: string; hint: string | undefined; exitCode: number } {
  try {
    picked(given, whole);
  } catch (error) {
    if (error instanceof CliError) return { message: error.message, hint: error.hint, exitCode: error.exitCode };
    throw error;
  }
  throw new Error('it was found');
}

describe('a name on the command line', () => {
  it.each([
    ['its id', 'cl_3', 'cl_3'],
    ['its name, whatever else has it as a part', 'home', 'cl_1'],
    ['its name in any case', 'LAB', 'cl_3'],
    ['a part that only one has', 'offi', 'cl_2'],
    ['a part in any case', 'OFFICE', 'cl_2'],
  ])('a name on the command line is %s', (_what, given, id) => {
    expect(picked(given)).toBe(id);
  });

  it('a name on the command line is refused where several have it, with their names, or their ids where they are called alike', () => {
    expect(failure('om')).toEqual({
      message: 'several clusters match "om": home, Home office',
      hint: 'give more of the name',
      exitCode: 2,
    });
    expect(failure('twin')).toMatchObject({
      message: 'several clusters match "twin": cl_4, cl_5',
      hint: 'name one by its id',
    });
  });

  it.each([
    ['labb', 'Did you mean lab?'],
    ['hmoe', 'Did you mean home?'],
    ['kitchen', 'ferry clusters'],
    ['', 'ferry clusters'],
  ])('a name on the command line that does not exist, such as %p, leads to: %s', (given, hint) => {
    expect(failure(given)).toEqual({ message: `there is no cluster "${given}"`, hint, exitCode: 5 });
  });

  it('a name on the command line is whole where something is deleted; its part is a suggestion then', () => {
    expect(picked('LAB', true)).toBe('cl_3');
    expect(failure('offi', true)).toMatchObject({ hint: 'Did you mean Home office?', exitCode: 5 });
  });
});
