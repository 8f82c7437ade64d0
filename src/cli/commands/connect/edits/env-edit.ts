/** Sets variables in a file of `NAME=value` lines; other lines stay. @param variables undefined removes one */
export function editEnvFile(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  for (const [name, value] of Object.entries(variables)) {
    const index = lines.findIndex((line) => line.startsWith(`${name}=`));
    if (value === undefined) {
      if (index !== -1) lines.splice(index, 1);
    } else if (index === -1) lines.push(`${name}=${value}`);
    else lines[index] = `${name}=${value}`;
  }
  return `${lines.join('\n')}\n`;
}

export const envValue = (text: string, name: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);
