import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../api/queries';

/** The name of a model for examples: of a loaded one where there is one. */
export function useExampleModel(): string {
  const { data: models = [] } = useQuery(modelsQuery);
  return (models.find(({ loaded }) => loaded) ?? models[0])?.id ?? 'tiny';
}
