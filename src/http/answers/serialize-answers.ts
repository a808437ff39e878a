import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler';

const selectCompiler = SerializerSelector();

/** The framework's own serializers, each compiled with the first answer that needs it: most are not needed at the start. */
export const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = selectCompiler(schemas, options);
  return (route) => {
    let serialize: ((data: unknown) => string) | null = null;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
};
