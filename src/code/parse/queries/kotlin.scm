(package_header (qualified_identifier) @package)

; Imports
(import (qualified_identifier) @import.module (identifier)? @import.alias "*"? @import.wildcard) @import

; Tests
(function_declaration
  (modifiers
    (annotation
      [
        (user_type (identifier) @_test @test)
        (constructor_invocation (user_type (identifier) @_test @test))
      ]))
  name: (identifier) @name
  (function_body)? @body
  (#any-of? @_test "Test" "ParameterizedTest" "RepeatedTest" "TestFactory")) @definition.function

; Definitions
(class_declaration "interface" name: (identifier) @name [(class_body) (enum_class_body)]? @body) @definition.interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @definition.enum
(class_declaration name: (identifier) @name (class_body)? @body) @definition.class
(object_declaration name: (identifier) @name (class_body)? @body) @definition.class
(companion_object name: (identifier) @name (class_body)? @body) @definition.class
(enum_entry (identifier) @name (class_body)? @body) @definition.constant
(function_declaration
  (user_type) @qualifier
  "."
  name: (identifier) @name
  (function_body)? @body) @definition.function
(function_declaration name: (identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (block)? @body) @definition.method
(property_declaration
  (user_type) @qualifier
  "."
  (variable_declaration (identifier) @name)
  [(getter) (setter)]? @body) @definition.field
(property_declaration
  (variable_declaration (identifier) @name)
  [(getter) (setter)]? @body) @definition.variable
(class_parameter ["val" "var"] (identifier) @name) @definition.field
(type_alias type: (identifier) @name) @definition.type
(modifiers (annotation)* @annotation)

; Names of a function's own
(class_parameter (identifier) @local)
(parameter . (identifier) @local)
(variable_declaration . (identifier) @local)
(catch_block . (identifier) @local)
(type_parameter (identifier) @local)
(value_argument . (identifier) @ignore "=")

; References
(call_expression . (identifier) @reference.call)
(call_expression . (navigation_expression . (_) @receiver (identifier) @reference.call))
(callable_reference (identifier) @reference.call)
(constructor_invocation (user_type (identifier)* @reference.type))
(user_type (identifier)* @reference.type)
(navigation_expression . (_) @receiver (identifier) @reference.name)
(identifier) @reference.name

(line_comment) @comment
(block_comment) @comment
