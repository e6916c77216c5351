; Imports: use trees nest, so the hook in hooks_rust.cc reads them.
(use_declaration) @import.use
(extern_crate_declaration name: (identifier) @import.module alias: (identifier)? @import.alias) @import
(mod_item !body name: (identifier) @import.module @import.relative) @import

; Definitions
(function_item name: (identifier) @name body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (_) @name body: (field_declaration_list) @body) @definition.struct
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.struct
(enum_item name: (_) @name body: (_) @body) @definition.enum
(enum_variant name: (identifier) @name) @definition.constant
(trait_item name: (_) @name body: (_) @body) @definition.trait
(field_declaration name: (field_identifier) @name) @definition.field
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(macro_definition name: (identifier) @name (macro_rule) @body) @definition.macro
(mod_item name: (identifier) @name body: (_) @body) @definition.module
(impl_item
  type: [
    (type_identifier) @name
    (generic_type type: (_) @name)
    (scoped_type_identifier) @name
    (reference_type type: [(type_identifier) @name (generic_type type: (_) @name)])
    (_) @name
  ]
  body: (_) @body) @scope

; Tests and other attributes
((attribute_item (attribute [(identifier) @_test (scoped_identifier name: (identifier) @_test)])) @leading @test
  (#any-of? @_test "test" "bench" "rstest" "test_case" "proptest" "quickcheck"))
(attribute_item) @leading
(attribute (identifier) @ignore)
(attribute (scoped_identifier) @ignore)

; Names of a function's own
(let_declaration pattern: (identifier) @local)
(parameter pattern: (identifier) @local)
(closure_parameters (identifier)* @local)
(for_expression pattern: (identifier) @local)
(tuple_pattern (identifier)* @local)
(slice_pattern (identifier)* @local)
(tuple_struct_pattern type: (_) (identifier)* @local)
(field_pattern pattern: (identifier) @local)
(mut_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(match_pattern . (identifier) @local (#not-capital? @local))
(shorthand_field_identifier) @local
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local)
(lifetime (identifier) @ignore)
(label (identifier) @ignore)

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call))
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression
  function: (generic_function
    function: (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call)))
(call_expression
  function: (generic_function
    function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call)))
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call))
(scoped_type_identifier path: (_)? @receiver name: (type_identifier) @reference.type)
(scoped_identifier path: (_)? @receiver name: (identifier) @reference.name)
(field_expression value: (_) @receiver field: (field_identifier) @reference.name)
(field_initializer field: (field_identifier) @reference.name)
(type_binding name: (type_identifier) @ignore)
(type_identifier) @reference.type
(identifier) @reference.name

(line_comment) @comment
(block_comment) @comment
