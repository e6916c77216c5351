; Imports
(variable_declaration
  . (identifier) @import.alias
  (builtin_function (builtin_identifier) @_import (arguments (string) @import.module))
  (#eq? @_import "@import")) @import.require
(builtin_function
  (builtin_identifier) @_import
  (arguments (string) @import.module)
  (#eq? @_import "@import")) @import.require
(builtin_function
  (builtin_identifier) @_import
  (arguments (string) @import.module)
  (#eq? @_import "@cInclude")) @import.include
(using_namespace_declaration (identifier) @import.module) @import.use

; Definitions
(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(variable_declaration . (identifier) @name (struct_declaration "{" @body)) @definition.struct
(variable_declaration . (identifier) @name (union_declaration "{" @body)) @definition.struct
(variable_declaration . (identifier) @name (opaque_declaration "{" @body)) @definition.struct
(variable_declaration . (identifier) @name (enum_declaration "{" @body)) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration "{" @body)) @definition.enum
(enum_declaration (container_field name: (identifier) @name (#not-eq? @name "_"))* @definition.constant)
(error_set_declaration (identifier)* @definition.constant @name)
(container_field name: (identifier) @name (#not-eq? @name "_")) @definition.field
(variable_declaration "const" (identifier) @name) @definition.constant
(variable_declaration "var" (identifier) @name) @definition.variable
(return_expression (struct_declaration "{" @body) @scope)
(test_declaration [(string) (identifier)] @name (block) @body) @definition.test

; Names of a function's own
(parameter name: (identifier) @local)
(payload (identifier)* @local)

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression object: (_) @receiver member: (identifier) @reference.call))
(parameter type: (identifier) @reference.type)
(container_field type: (identifier) @reference.type)
(function_declaration type: (identifier) @reference.type)
(error_union_type ok: (identifier) @reference.type)
(pointer_type (identifier) @reference.type)
(slice_type (identifier) @reference.type)
(struct_initializer . (identifier) @reference.type)
(field_expression object: (_) @receiver member: (identifier) @reference.name)
(identifier) @reference.name

(comment) @comment
